// Judges the regular expressions on its input with recheck, which is ten times as slow inside jest's sandbox.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { readFileSync } = require('node:fs');
const { checkSync } = require('recheck');

const expressions = JSON.parse(readFileSync(0, 'utf8'));
const verdicts = expressions.map(({ source, flags }) => {
  const { status, complexity } = checkSync(source, flags, { checker: 'automaton', timeout: null });
  return { status, complexity: complexity?.type };
});
process.stdout.write(JSON.stringify(verdicts));
