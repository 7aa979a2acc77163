"""Two drugs from two raw materials whose content of an agent is uncertain (Ben-Tal, El Ghaoui, Nemirovski 2009, example 1.1.1)."""

import numpy as np

import sparsero

model = sparsero.model(
    names=["raw I", "raw II", "drug I", "drug II"],
    cost=[100, 199.9, 700 - 6200, 800 - 6900],
    at_most=([[1, 1, 0, 0], [0, 0, 90, 100], [0, 0, 40, 50], [100, 199.9, 700, 800]], [1000, 2000, 800, 100_000]),
)
# 0.5 drug I + 0.6 drug II <= (0.01 + u1) raw I + (0.02 + u2) raw II
agent = dict(name="agent", nominal=[-0.01, -0.02, 0.5, 0.6], map=dict(matrix=np.eye(2, 4)), limit=0)
corners = [[i * 5e-5, j * 4e-4] for i in (1, -1) for j in (1, -1)]
for radius in (0, 1):
    answer = sparsero.design(model=model, dictionary=corners, constraints=[agent], radius=radius)
    print("radius", radius, "decision", dict(zip(answer.columns, answer.decision.round(3))))
    print("cost", answer.value)
