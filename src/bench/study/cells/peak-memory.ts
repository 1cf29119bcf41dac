import fs from "node:fs";

/**
 * The most resident memory that this process has had, in bytes. Linux tells it in /proc/self/status; its getrusage, which
 * other systems are asked by, would count what the parent held when it started this process.
 */
export function peakMemory(): number {
  if (process.platform === "linux") {
    const kibibytes = /^VmHWM:\s*(\d+) kB$/m.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1];
    if (kibibytes !== undefined) return Number(kibibytes) * 1024;
  }
  return process.resourceUsage().maxRSS * 1024;
}
