"""Where the panels of the book stand: those in which the library itself computes, in the reader's browser.

A panel stands at the end of a section of a notebook, named by its number ("2" is "## 2. ..."). Its kind names a script in
assets/live, which gets the settings; notebooks/CONTRIBUTING.md says how to add one. Numbers that a notebook shows too are the same.
"""

TWO_PROJECTS = {
    "columns": [{"name": "x1", "lower": -1, "upper": 2, "cost": -3}, {"name": "x2", "lower": -1, "upper": 2, "cost": -3}],
    "rows": [{"name": "budget", "upper": 2, "columns": [0, 1], "values": [1, 1]}],
}
SEGMENT = {
    "columns": [{"name": "x1", "lower": 0, "upper": 2, "cost": -1.3}, {"name": "x2", "lower": 0, "upper": 2, "cost": -1}],
    "rows": [{"name": "segment", "lower": 2, "upper": 2, "columns": [0, 1], "values": [1, 1]}],
}
FAN = {"Lengths": [1.5, 1.7, 1.6, 1.8, 1.5, 1.6, 1.9, 1.75, 1.8, 1.4], "Chosen": [0, 4, 9],
       "Problem": {"Model": {"columns": [{"name": "tau", "lower": 0, "upper": 2, "cost": -0.4}]}, "Matrix": [[1], [-1]], "Constant": [0, 2]}}

PANELS = {
    ("02_few_directions", "3"): ("plane", "Try it: 2,000 atoms, few chosen, one decision",
        "Drag the direction s, the point u or an atom: grey is the set of all atoms, blue the set of greedy's picks, both at radius r. "
        "The two dashed lines touch them in the direction s; their distance is what the picks miss there.",
        {"Atoms": {"Data": "x"}, "Probes": 0, "Budget": 6, "Most": 12, "Direction": [1, 0], "Point": [1.2, 0.4], "Model": TWO_PROJECTS}),
    ("03_value_gap", "1"): ("gap", "Try it: move an atom, and gap, regret and certificate follow",
        "Blue atoms are kept. The orange area between the two objectives is the certificate at each decision; drag an atom, or keep another one.",
        {"Rows": [[1.6, 0.1], [0.2, 1.5], [1.0, 0.9], [-1, 0.3], [0.4, 0.2]], "Labels": ["east", "north", "northeast", "west", "small"],
         "Chosen": [0, 1], "Model": SEGMENT}),
    ("04_certificate_ladder", "2"): ("ladder", "Try it: keep other atoms, move them, refine the net",
        "Blue bars form the chain, each at most the next; orange is the bound from inflation, which has no place in it; grey is the trivial bound.",
        FAN | {"Rungs": ["value gap", "pointwise", "exact uniform", "net", "inflation"]}),
    ("05_calibration", "2"): ("radius", "Try it: the radius of each rule on fresh samples",
        "Normal samples in the plane and the atoms ±e₁, ±e₂, for which the true fraction within a radius is known. \"N=2000, B=9\" stands for all "
        "sets of at most 9 of 2,000 atoms.",
        {"Samples": 1000, "Seed": 1, "Alpha": 0.05, "Delta": 1e-5, "Atoms": 2000, "Budget": 9}),
    ("06_coverage_and_greedy", "1"): ("plane", "Try it: move the twelve atoms and watch the heights",
        "Grey is the height that all atoms reach in each direction, blue that of greedy's picks; the orange area between them is the deficit.",
        {"Atoms": {"Data": "small"}, "Probes": 72, "Budget": 3, "Most": 8, "Direction": [1.2, 0.9], "Point": [-0.8, 0.5], "Waves": True}),
    ("06_coverage_and_greedy", "4"): ("table", "Try it: your own atoms",
        "Greedy's picks from your table, with what is proven about them, and the certificates of that choice.",
        {"CSV": "east,north,up\n1.6,0.1,0.2\n0.2,1.5,0.1\n1.0,0.9,0.4\n-1,0.3,0.8\n0.4,0.2,1.3\n-0.5,-1.1,0.3\n"}),
    ("07_oracle_greedy", "2"): ("loop", "Try it: step through the loop in the plane",
        "Left the decisions in a box, right the atoms; q(x) = x. Each round solves with the blue atoms, looks in the direction of the decision, "
        "and adds an atom for it. Drag atoms, or change what the decision earns.",
        {"Rows": [[1.5, 0.3], [1.1, 1.0], [0.3, 1.6], [-0.8, 1.2], [-1.6, 0.4], [-1.2, -0.9], [-0.2, -1.5], [0.9, -1.2], [1.4, -0.5], [0.5, 0.6],
                  [1.3, 0.75], [0.75, 1.35]], "Cost": [-0.4, -2.0]}),
    ("23_ladder_in_full", "1"): ("ladder", "Try it: every certificate of the atoms you keep",
        "Blue bars form the chain, each at most the next; orange ones need no net and have no place in it; grey is the trivial bound.", FAN),
}

PLAYGROUND = ("playground", "The playground: your own table, from atoms to a certified decision",
    "Choose how much of each column of your table to take, 100 % in all, such that the mean value is large whatever the few chosen atoms do.", {})

# The scripts of assets/live in the order in which a page loads them, before those of its kinds.
SHARED = ["numbers", "live", "controls", "plot"]
