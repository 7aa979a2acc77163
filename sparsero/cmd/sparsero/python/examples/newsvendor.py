"""Papers for five places, at most two of whose demands fall to a half; sales are affine in the demands (a test of JuMPeR.jl)."""

import numpy as np

import sparsero

mean, widths = np.array([28, 32, 38, 40, 46]), np.array([14, 16, 19, 20, 23])
n = 2 + 5 + 25  # profit, stock, sales at the mean demands, and how they change with each demand


def sales(name, weight, places, limit=0.0, **more):
    nominal, matrix, constant = np.zeros(n), np.zeros((5, n)), np.zeros(5)
    for i in places:
        nominal[2 + i] = weight
        matrix[range(5), 7 + 5 * i + np.arange(5)] = weight
        constant[i] = more.get("constant", 0)
    nominal[:2] = more.get("first", (0, 0))
    return dict(name=name, nominal=nominal, map=dict(matrix=matrix, constant=constant), limit=limit)


rows = [sales("profit", -1, range(5), first=(1, 0.5)), sales("stock", 1, range(5), first=(0, -1))]
for i in range(5):  # 0 <= sales <= demand
    rows += [sales(f"demand {i}", 1, [i], limit=mean[i], constant=-1), sales(f"sales {i}", -1, [i])]
model = sparsero.model(cost=np.eye(n)[0] * -1, lower=-1000, upper=1000)
answer = sparsero.design(model=model, constraints=rows, set=dict(budget=dict(widths=widths, gamma=2)))
print(answer.constraints)
print("stock", answer.decision[1], "profit", -answer.value)
