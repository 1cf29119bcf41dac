"""From nothing to a first gradient."""

import sys

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
(x * x).sum().backward()
sys.exit(0 if x.grad[2] == 6 else 1)
