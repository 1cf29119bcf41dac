/** The rooms of docs/architecture.md, from the lowest up: a room may import only from rooms before it. */
const rooms = [
  "errors",
  "random",
  "stats",
  "tensor",
  "autograd",
  "nn",
  "ideas",
  "bench",
  "inspect",
  "inspect-page",
  "testing",
  "cli",
];

/** Rooms that run in a browser as they are: no `node:` module, no package. */
const core = ["errors", "random", "stats", "tensor", "autograd", "nn", "ideas"];

const layering = rooms.slice(0, -1).map((room, at) => ({
  name: `${room}-imports-downwards`,
  severity: "error",
  comment: `src/${room} may import only from: ${rooms.slice(0, at).join(", ") || "itself"}`,
  from: { path: `^src/${room}/` },
  to: { path: `^src/(${rooms.slice(at + 1).join("|")})/` },
}));

module.exports = {
  forbidden: [
    ...layering,
    {
      name: "stats-knows-no-tensors",
      severity: "error",
      from: { path: "^src/stats/" },
      to: { path: "^src/tensor/" },
    },
    {
      name: "core-is-self-contained",
      severity: "error",
      comment: "the core runs in a browser: no node: module and no package",
      from: { path: `^src/(${core.join("|")})/` },
      to: { dependencyTypes: ["core", "npm", "npm-dev", "npm-optional", "npm-peer"] },
    },
    {
      name: "inspect-runs-in-a-browser",
      severity: "error",
      comment:
        "a page records and steps with the same code: no node: module and no package, however far away",
      from: { path: "^src/inspect/" },
      to: {
        path: "^(node:|node_modules/)|^(fs|os|path|url|crypto|worker_threads|module|process)$",
        reachable: true,
      },
    },
    {
      name: "inspect-page-stands-alone",
      severity: "error",
      comment: "it is a program of its own, built into one file that others read but do not import",
      from: { path: "^src/", pathNot: "^src/inspect-page/" },
      to: { path: "^src/inspect-page/" },
    },
    {
      name: "inspect-page-runs-in-a-browser",
      severity: "error",
      comment:
        "no node: module and no package but Preact, which is built into the page; the bench stays out of it",
      from: { path: "^src/inspect-page/" },
      to: {
        path: "^(node:|node_modules/(?!preact/|@preact/))|^(fs|os|path|url|crypto|worker_threads|module|process)$|^src/bench/",
        reachable: true,
      },
    },
    {
      name: "no-development-packages",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/inspect-page/" },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["type-only", "npm-peer"],
        pathNot: "^node_modules/(fast-check|vitest)/",
      },
    },
    {
      name: "fast-check-in-its-place",
      severity: "error",
      comment:
        "fast-check and vitest are optional peers: arbitraries need the one, matchers the other, the laws neither",
      from: { path: "^src/", pathNot: "^src/testing/arbitraries/" },
      to: { path: "^node_modules/fast-check/" },
    },
    {
      name: "vitest-in-its-place",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/testing/vitest/" },
      to: { path: "^node_modules/(vitest|@vitest)/" },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: ["^src/(index|cli/main)\\.ts$", "^src/inspect-page/main\\.tsx$", "/assembly/"],
      },
      to: {},
    },
    {
      name: "assembly-is-compiled-not-imported",
      comment:
        "AssemblyScript is compiled by scripts/build-kernels.mjs; TypeScript imports the result from wasm/",
      severity: "error",
      from: { pathNot: "/assembly/" },
      to: { path: "/assembly/" },
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js"],
      conditionNames: ["import", "types"],
      exportsFields: ["exports"],
    },
  },
};
