"""One engine for matrices of episodes: cells, resumption, budgets, and what is read off the results."""
