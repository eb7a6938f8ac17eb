"""What is judged: datasets, scenarios, companions and their responses, and the files they come from."""
