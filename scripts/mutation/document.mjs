/** docs/mutation.md, from the mutants and what became of them. */
const introduction = `# Mutation testing

Made by \`npm run test:mutation -- --record\`; not to be edited. A run of some mutants (\`--only\`) changes their rows
alone. Each mutant is a plausible human error (a swapped operand, a forgotten term, a wrong axis, a tail that is not written, …)
put into a copy of the sources. One of the tests named with it has to fail; a mutant that survives is a hole in the tests.
The table is in \`scripts/mutation/mutants/\`.
`;

const row = /^\| (\S+) +\| .* \| (killed|survived|timed out|broken|equivalent) +\| .* \|$/gm;

/** The results that a document states, by the ids of mutants. */
export function resultsIn(document) {
  return new Map([...document.matchAll(row)].map(([, id, result]) => [id, result]));
}

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** The document. */
export function documentOf(rows) {
  const families = [...new Set(rows.map(({ family }) => family))];
  const count = (list, result) => list.filter((mutant) => mutant.result === result).length;
  const lines = [
    introduction,
    "| family | mutants | of these killed | of these equivalent | left |",
    "| --- | --- | --- | --- | --- |",
  ];
  const summary = (name, list) => {
    const [killed, equivalent] = [count(list, "killed"), count(list, "equivalent")];
    lines.push(
      `| ${name} | ${list.length} | ${killed} | ${equivalent} | ${list.length - killed - equivalent} |`,
    );
  };
  for (const family of families) {
    summary(
      family,
      rows.filter((mutant) => mutant.family === family),
    );
  }
  summary("all", rows);
  for (const family of families) {
    lines.push(
      "",
      `## ${family}`,
      "",
      "| mutant | in | error | result | noticed by |",
      "| --- | --- | --- | --- | --- |",
    );
    for (const { family: own, id, target, kind, result, tests, equivalent } of rows) {
      if (own !== family) continue;
      const noticed = equivalent
        ? `none can: ${equivalent}`
        : tests.map((test) => test.slice("test/".length)).join(", ");
      lines.push(`| ${id} | ${target.join(", ")} | ${cell(kind)} | ${result} | ${cell(noticed)} |`);
    }
  }
  return `${lines.join("\n")}\n`;
}
