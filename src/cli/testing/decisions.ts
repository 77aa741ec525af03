import { decisionsOf, readDocuments } from './documents.ts';
import { root } from '../project.ts';

const decisions = decisionsOf(await readDocuments(root));
const lines = decisions.map(({ path, text }) => `${path}\n    ${/^# (.*)$/m.exec(text)?.[1] ?? ''}`);
process.stdout.write(`${lines.join('\n')}\n${decisions.length} decisions.\n`);
