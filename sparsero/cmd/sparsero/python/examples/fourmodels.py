"""The four models of tutorial 11: a portfolio with caps on sectors, production in whole lots, a mix, a network."""

import numpy as np

import sparsero

x = dict(matrix="identity")  # q(x) = x
portfolio = sparsero.design(
    model=sparsero.model([-0.07, -0.06, -0.09, -0.05, -0.03], upper=0.4, equal=(np.ones(5), 1), at_most=([[1, 1, 0, 0, 0], [0, 0, 1, 1, 0]], 0.5)),
    objective=x, radius=0.5,
    dictionary=[[0.3, 0.25, 0.05, 0.05, 0], [0, 0.05, 0.4, 0.1, 0], [0.1, 0.15, 0, 0, 0.2], [0, 0, 0.2, 0.3, 0.05]])
factory = sparsero.design(  # of chairs and tables; each row has a set of its own, and the demand is 40 + u
    model=sparsero.model([3, 5], upper=100, integer=True, names=["chairs", "tables"]),
    constraints=[dict(name="saw", nominal=[1, 2], map=x, limit=80, dictionary=[[0.4, 0], [0.2, 0.5]]),
                 dict(name="lacquer", nominal=[2, 1], map=x, limit=95, dictionary=[[0, 0.6], [0.3, 0.3]], radius=0.5),
                 dict(name="demand", nominal=[-1, -1], map=dict(constant=[1]), limit=-40, dictionary=[[4], [7]])])
harvest, minus = [[-0.02, -0.05, 0], [-0.03, 0, -0.03], [0, -0.04, -0.02]], dict(matrix=-np.eye(3))
mix = sparsero.design(  # 100 kg of oats, beans and seeds with enough protein and fat
    model=sparsero.model([1.1, 1.6, 4.2], upper=80, equal=(np.ones(3), 100)),
    constraints=[dict(name="protein", nominal=[-0.13, -0.22, -0.2], map=minus, limit=-17, dictionary=harvest),
                 dict(name="fat", nominal=[-0.07, -0.02, -0.45], map=minus, limit=-9, dictionary=harvest, radius=0.5)])
network = sparsero.design(  # ten tons from port to town by sea, or by rail to the hub and on by road
    model=sparsero.model([4, 2, 3], upper=[np.inf, 8, np.inf], equal=([[1, 1, 0], [0, -1, 1], [-1, 0, -1]], [10, 0, -10])),
    objective=x, dictionary=[[5, 0, 0], [0, 3, 0], [0, 1, 3]])
for name, answer in dict(portfolio=portfolio, factory=factory, mix=mix, network=network).items():
    print(name, answer.decision.round(3))
print("costs", portfolio.value, factory.value, mix.value, network.value)
