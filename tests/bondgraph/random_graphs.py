"""Random linear bond graphs, and the same equations as one descriptor system, written down without any causality."""

import numpy as np

from biela.bondgraph import BondGraph


def random_graph(seed: int) -> BondGraph:
    """A tree of junctions, some joined through TF or GY, sometimes with an extra bond that closes a loop."""
    rng = np.random.default_rng(seed)
    g = BondGraph(name=f"random-{seed}")
    junctions, bonds, two_ports = int(rng.integers(1, 6)), 0, 0

    def number() -> float:
        return float(np.round(rng.uniform(0.4, 2.0), 3))

    def join(a: str, b: str) -> None:
        nonlocal bonds
        bonds += 1
        g.bond(f"b{bonds}", a, b)

    def link(a: str, b: str) -> None:
        nonlocal two_ports
        if rng.random() < 0.5:
            a, b = b, a
        if rng.random() < 0.4:
            two_ports += 1
            kind = "TF" if rng.random() < 0.5 else "GY"
            g.add(f"x{two_ports}", kind, modulus=number() * float(rng.choice([-1, 1])))
            join(a, f"x{two_ports}")
            join(f"x{two_ports}", b)
        else:
            join(a, b)

    for k in range(junctions):
        g.add(f"j{k}", str(rng.integers(0, 2)))
        if k:
            link(f"j{int(rng.integers(0, k))}", f"j{k}")
    if junctions > 2 and rng.random() < 0.25:
        a, b = rng.choice(junctions, 2, replace=False)
        link(f"j{a}", f"j{b}")
    degree = {f"j{k}": 0 for k in range(junctions)}
    for a, b in g.bonds.values():
        for end in (a, b):
            if end in degree:
                degree[end] += 1
    keys = {"I": "inertia", "C": "stiffness", "R": "resistance"}
    names = []
    for j, present in degree.items():
        for _ in range(max(int(rng.integers(0, 3)), 2 - present)):
            kind = str(rng.choice(["I", "C", "R", "Se", "Sf"], p=[0.25, 0.25, 0.3, 0.12, 0.08]))
            name = f"{kind.lower()}{len(names)}"
            names.append(name)
            if kind in keys:
                g.add(name, kind, **{keys[kind]: number()})
                join(j, name)
            else:
                g.add(
                    name, kind, **{"effort" if kind == "Se" else "flow": f"{number()}*cos({number()}*t) + {number()}"}
                )
                join(name, j) if rng.random() < 0.8 else join(j, name)
    return g


def descriptor(g: BondGraph) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str], list[str]]:
    """E y' = F y + G u with y = (energy variables, efforts, flows): one line for every law, nothing solved."""
    bonds, elements = list(g.bonds), g.elements
    stores = [n for n, e in elements.items() if e.type in ("I", "C")]
    sources = [n for n, e in elements.items() if e.type in ("Se", "Sf")]
    names = [f"{n}.{'p' if elements[n].type == 'I' else 'q'}" for n in stores]
    names += [f"{b}.effort" for b in bonds] + [f"{b}.flow" for b in bonds]
    at = {name: k for k, name in enumerate(names)}
    N = len(names)
    E, F, G = [], [], []

    def row(rate=None, source=None, **terms) -> None:
        e, f, u = np.zeros(N), np.zeros(N), np.zeros(len(sources))
        if rate:
            e[at[rate]] = 1.0
        for name, value in terms.get("terms", {}).items():
            f[at[name]] += value
        if source:
            u[sources.index(source)] = -1.0
        E.append(e)
        F.append(f)
        G.append(u)

    for name, item in elements.items():
        mine = [b for b in bonds if name in g.bonds[b]]
        sign = {b: 1.0 if g.bonds[b][1] == name else -1.0 for b in mine}
        b = mine[0]
        if item.type == "I":
            row(rate=f"{name}.p", terms={f"{b}.effort": 1.0})
            row(terms={f"{b}.flow": float(item.inertia), f"{name}.p": -1.0})
        elif item.type == "C":
            row(rate=f"{name}.q", terms={f"{b}.flow": 1.0})
            row(terms={f"{b}.effort": -1.0, f"{name}.q": float(item.stiffness)})
        elif item.type == "R":
            row(terms={f"{b}.effort": -1.0, f"{b}.flow": float(item.resistance)})
        elif item.type in ("Se", "Sf"):
            row(source=name, terms={f"{b}.{'effort' if item.type == 'Se' else 'flow'}": 1.0})
        elif item.type in ("0", "1"):
            common, added = ("effort", "flow") if item.type == "0" else ("flow", "effort")
            for other in mine[1:]:
                row(terms={f"{b}.{common}": 1.0, f"{other}.{common}": -1.0})
            row(terms={f"{o}.{added}": sign[o] for o in mine})
        else:
            into, out = sorted(mine, key=lambda o: -sign[o])
            m = float(item.modulus)
            if item.type == "TF":
                row(terms={f"{out}.flow": -1.0, f"{into}.flow": m})
                row(terms={f"{into}.effort": -1.0, f"{out}.effort": m})
            else:
                row(terms={f"{out}.effort": -1.0, f"{into}.flow": m})
                row(terms={f"{into}.effort": -1.0, f"{out}.flow": m})
    return np.array(E), np.array(F), np.array(G), names, sources


def regular(E: np.ndarray, F: np.ndarray) -> bool:
    """Whether the descriptor system has one solution: s E - F is invertible for some s."""
    margins = []
    for s in (0.37 + 0.91j, -1.3 + 0.4j):
        values = np.linalg.svd(s * E - F, compute_uv=False)
        margins.append(values[-1] / values[0])
    return max(margins) > 1e-11


RADAU = np.array(
    [[(88 - 7 * 6**0.5) / 360, (296 - 169 * 6**0.5) / 1800, (-2 + 3 * 6**0.5) / 225],
     [(296 + 169 * 6**0.5) / 1800, (88 + 7 * 6**0.5) / 360, (-2 - 3 * 6**0.5) / 225],
     [(16 - 6**0.5) / 36, (16 + 6**0.5) / 36, 1 / 9]]
)  # fmt: skip


def radau(E, F, G, y, u, h: float, steps: int) -> np.ndarray:
    """The descriptor system by Radau IIA of order 5 (Hairer & Wanner IV.5), every line at once."""
    c, N = RADAU.sum(axis=1), len(y)
    matrix = np.linalg.inv(np.kron(np.eye(3), E) - h * np.kron(RADAU, F))
    out = [y]
    for k in range(steps):
        right = np.concatenate([F @ y + G @ u((k + ci) * h) for ci in c])
        slopes = (matrix @ right).reshape(3, N)
        y = y + h * (RADAU[2] @ slopes)
        out.append(y)
    return np.array(out)
