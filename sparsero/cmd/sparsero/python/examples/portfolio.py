"""150 stocks of which at most 5 disappoint (Bertsimas, Sim 2004, section 6.2)."""

import numpy as np

import sparsero

i = np.arange(1, 151)
means, deviations = 1.15 + 0.05 / 150 * i, 0.05 / 450 * np.sqrt(2 * i * 150 * 151)
answer = sparsero.design(
    model=sparsero.model(cost=-means, upper=1, equal=(np.ones(150), 1)),
    objective=dict(matrix="identity"),
    set=dict(budget=dict(widths=deviations, gamma=5)),
    demands=dict(gap=1e-4),
)
print(answer.statement)
print("return", -answer.value)
