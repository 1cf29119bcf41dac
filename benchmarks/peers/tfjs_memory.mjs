/** 2000 training steps of a GRU; prints the greatest resident size in MB. */
import { normal, recurrent, training } from "./tfjs_training.mjs";

const step = training(recurrent(), normal(32, 32, 3), normal(32, 2));
for (let i = 0; i < 2000; i++) step();
process.stdout.write(`${process.resourceUsage().maxRSS / 1024}\n`);
