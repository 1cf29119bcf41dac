/** 2000 training steps of a GRU; prints the greatest resident size in MB. */
import { gruStep } from "../models.mjs";

const step = gruStep();
for (let i = 0; i < 2000; i++) step();
process.stdout.write(`${process.resourceUsage().maxRSS / 1024}\n`);
