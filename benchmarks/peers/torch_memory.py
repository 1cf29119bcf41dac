"""2000 training steps of a GRU; prints the greatest resident size in MB."""

import resource

import torch
from torch_rows import Recurrent, training

step = training(Recurrent(), torch.randn(32, 32, 3), torch.randn(32, 2))
for _ in range(2000):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
