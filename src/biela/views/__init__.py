"""How it looks: drawings, plots, films, players, reports."""
