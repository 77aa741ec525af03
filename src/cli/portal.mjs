#!/usr/bin/env node
/** Runs `portal NAME [ARGUMENT…]`. Only the requested command of commands.json is built and loaded. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import allCommands from './commands.json' with { type: 'json' };
import { createCommandSource, importSource } from './load.mjs';

// Exits silently on EPIPE, which a reader such as `head` causes when it closes the output early.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// Omits commands whose file does not exist: the container image contains only those that operators need.
const commands = Object.fromEntries(
  Object.entries(allCommands).filter(([, { file }]) => existsSync(join(import.meta.dirname, file))),
);

const databaseHelp = "Uses the server's settings and database. Stop the server first if the database is embedded.";
const words = process.argv.slice(2);
const at = words.indexOf('--config');
if (at !== -1) [process.env.PORTAL_CONFIG = ''] = words.splice(at, 2).slice(1);
const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((known) => Object.hasOwn(commands, known));
const asksForHelp = words.includes('--help') || words.includes('-h');
const [first = '', second = '-'] = words;
/** Whether `first` also begins commands of two words, such as `definitions diff`, and `second` completes none of them. */
const isUnknownPair =
  name === first && !second.startsWith('-') && Object.keys(allCommands).some((known) => known.startsWith(`${first} `));

if (name === undefined || (isUnknownPair && !asksForHelp)) {
  const group = Object.keys(commands).some((known) => known.startsWith(`${words[0]} `)) ? `${words[0]} ` : '';
  if (asksForHelp) process.stdout.write(listCommands(group));
  else {
    const isGroup = words.length === 0 || (group !== '' && words.length === 1);
    const usageProblem = isGroup ? 'Missing command.' : `There is no command ${words.join(' ')}.`;
    process.stderr.write(`${usageProblem}\n${listCommands(group)}`);
    process.exitCode = 2;
  }
} else if (asksForHelp) process.stdout.write(formatUsage(commands[name]));
else {
  const { command, runCommand } = await importSource(
    ...createCommandSource(commands[name].file),
    commands[name].isCached,
  );
  const terminal = {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    ask: process.stdin.isTTY ? ask : null,
  };
  const code = await runCommand(command, words.slice(name.split(' ').length), terminal, formatUsage(commands[name]));
  if (code !== 0) process.exitCode = code; // set only for errors, because a running server sets its exit code when it stops
}

function listCommands(group) {
  const lines = Object.entries(commands)
    .filter(([known]) => known.startsWith(group))
    .map(([known, { summary }]) => `  portal ${known.padEnd(18)} ${summary}\n`);
  return `Usage:\n${lines.join('')}\`portal NAME --help\` says more of one. \`--config FILE\` reads the settings of a YAML file.\n`;
}

function formatUsage({ help, opensDatabase = false }) {
  const lines = opensDatabase ? [...help, databaseHelp] : help;
  return `Usage:\n${lines.join('\n')}\n`;
}

async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}
