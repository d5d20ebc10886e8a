print("mistertop")
