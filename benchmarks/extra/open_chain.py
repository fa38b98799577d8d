"""Open chain: the file open_chain.py, judged: not more than Pinocchio's articulated bodies wherever they run."""

from __future__ import annotations


def main(quick: bool) -> list[dict]:
    """Measure, save, judge."""
    import open_chain

    data = open_chain.main(quick)
    lines = []
    for kind in open_chain.CHAINS:
        rows = data[kind]["sizes"]
        ratios = [
            (
                r["us"]["biela"] / min(v for k, v in r["us"].items() if k in ("pinocchio", "its WORLD", "its batch")),
                r["n"],
            )
            for r in rows
            if "pinocchio" in r["us"]
        ]
        if ratios:
            worst, n = max(ratios)
            lines.append(
                {
                    "what": f"{kind}: cost over Pinocchio's best, worst at n = {n} (to {ratios[-1][1]})",
                    "wanted": "<= 1.0",
                    "value": worst,
                    "holds": worst <= 1.0,
                    "note": ", ".join(f"n = {m}: {x:.2f}" for x, m in ratios),
                }
            )
        p = data[kind]["exponent"]
        lines.append(
            {
                "what": f"{kind}: exponent of growth to n = {rows[-1]['n']}",
                "wanted": "<= 1.1",
                "value": p,
                "holds": p <= 1.1,
            }
        )
    data["lines"] = lines
    open_chain.save(data)
    return lines
