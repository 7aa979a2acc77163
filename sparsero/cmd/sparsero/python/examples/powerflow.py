"""DC power flow: three buses, two generators that share the errors of two wind farms, and lines that must not be overloaded."""

import numpy as np

import sparsero

lines, capacity = [(0, 1), (0, 2), (1, 2)], np.array([70, 80, 60])  # of reactance 1
demand, wind = np.array([0, 40, 150]), np.array([0, 20, 30])  # by bus
incidence = np.array([[(b == i) - (b == j) for b in range(3)] for i, j in lines])
flow = np.zeros((3, 3))  # in each line for a MW at a bus that bus 0 takes
flow[:, 1:] = incidence[:, 1:] @ np.linalg.inv(incidence[:, 1:].T @ incidence[:, 1:])
u = 5 * np.cos(np.outer(np.arange(1, 501), [1, 2]) + np.outer(np.arange(1, 501) ** 2, [0.3, 0.7]))  # errors of the wind at buses 1 and 2

# a (g - share (u1 + u2)) + b u <= limit for lines, both ways, and generators at buses 0 and 1, which give 0 to 120 MW
a = np.vstack([flow[:, :2], -flow[:, :2], np.eye(2), -np.eye(2)])
b = np.vstack([flow[:, 1:], -flow[:, 1:], np.zeros((4, 2))])
limit = np.concatenate([capacity - flow @ (wind - demand), capacity + flow @ (wind - demand), [120, 120, 0, 0]])
names = [f"line {line} {way}" for way in ("there", "back") for line in range(3)] + ["g0 most", "g1 most", "g0 least", "g1 least"]
rows = [
    dict(name=name, nominal=np.append(of, [0, 0]), limit=limit, map=dict(matrix=[[0, 0, *-of]] * 2, constant=change))
    for name, of, change, limit in zip(names, a, b, limit)
]
model = sparsero.model(cost=[20, 30, 0, 0], names=["g0", "g1", "share 0", "share 1"], upper=[120, 120, 1, 1],
                       equal=([[1, 1, 0, 0], [0, 0, 1, 1]], [demand.sum() - wind.sum(), 1]))
answer = sparsero.design(model=model, dictionary=u, constraints=rows, demands=dict(gap=1e-6))
print(answer.statement, answer.labels, dict(zip(answer.columns, answer.decision.round(3))))
print(answer.constraints)
print("cost", answer.value)
