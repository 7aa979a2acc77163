# Writes the 512 features of a ResNet-18 (trained on ImageNet) for the cats and dogs of CIFAR-10.
import numpy, torch, torchvision
weights = torchvision.models.ResNet18_Weights.DEFAULT
network = torchvision.models.resnet18(weights=weights).eval()
network.fc = torch.nn.Identity()  # the last hidden layer is the output now
images = torchvision.datasets.CIFAR10("cifar", download=True, transform=weights.transforms())
chosen = [i for i, label in enumerate(images.targets) if label in (3, 5)]  # cat, dog
loader = torch.utils.data.DataLoader(torch.utils.data.Subset(images, chosen), batch_size=100)
with torch.no_grad():
    parts = [(network(batch), labels) for batch, labels in loader]
numpy.save("cat_dog_x.npy", torch.cat([x for x, _ in parts]).numpy())
numpy.save("cat_dog_y.npy", torch.cat([y for _, y in parts]).numpy())
