import type { Page } from '@playwright/test';

/** Node of the accessibility tree in the DevTools protocol, with the properties that this file reads. */
interface Node {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly description?: { readonly value?: string };
  readonly value?: { readonly value?: string | number };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly childIds?: readonly string[];
}

/** Roles that screen readers do not announce. */
const silent = new Set(['generic', 'none', 'InlineTextBox', 'LineBreak', 'paragraph', 'ListMarker', 'MenuListPopup']);
/** Maximum number of options to output. If there are more, only their number is output. */
const fewChoices = 5;
/** Accessibility states to output. */
const said = ['required', 'invalid', 'disabled', 'readonly', 'checked', 'pressed', 'expanded', 'focused'];

/**
 * Formats Chromium's accessibility tree of the page's `main` once the page is idle, one line per node. Replaces text
 * that matches `changing` by "…". Outputs labels only as the names of their controls.
 */
export async function formatAccessibilityTree(page: Page, changing: readonly RegExp[] = []): Promise<string> {
  let text = await readTree(page);
  for (let before = ''; before !== text; text = await readTree(page)) {
    before = text;
    await page.waitForTimeout(100);
  }
  return changing.reduce((written, pattern) => written.replace(pattern, '…'), text);
}

async function readTree(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: readonly Node[] }; // the cast is safe, because the protocol defines this type
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const main = nodes.find(({ role }) => role?.value === 'main');
  return `${(main ? linesOf(main, byId, 0, '') : []).join('\n')}\n`;
}

function linesOf(node: Node, byId: ReadonlyMap<string, Node>, depth: number, around: string): readonly string[] {
  const { role, name = {}, childIds = [] } = node;
  const text = name.value?.trim() ?? '';
  const isSilent = node.ignored || silent.has(role?.value ?? 'none') || role?.value === 'LabelText';
  const isText = role?.value === 'StaticText';
  if (isText) return text === '' || around.includes(text) ? [] : [`${'  '.repeat(depth)}${text}`];
  const inner = isSilent ? depth : depth + 1;
  const children = childIds.flatMap((id) => byId.get(id) ?? []);
  const below = children.flatMap((child) => linesOf(child, byId, inner, isSilent ? around : text));
  if (role?.value === 'LabelText') return below.filter((line) => /^ *(checkbox|radio) "/.test(line));
  if (isSilent) return below;
  const choices = below.filter((line) => line.trimStart().startsWith('option ')).length;
  const listed = choices > fewChoices ? [`${'  '.repeat(inner)}option ×${choices}`] : below;
  return [`${'  '.repeat(depth)}${lineOf(node, text)}`, ...(role?.value === 'combobox' ? listed : below)];
}

function lineOf({ role, description, value, properties = [] }: Node, name: string): string {
  const states = properties.flatMap(({ name: state, value: { value: held } }) => {
    if (!(said.includes(state) || (state === 'level' && role?.value === 'heading')) || !held || held === 'false')
      return [];
    return [held === true || held === 'true' ? state : `${state}=${String(held)}`];
  });
  return [
    role?.value,
    ...(name === '' ? [] : [`"${name}"`]),
    ...(value?.value === undefined || value.value === '' ? [] : [`= ${String(value.value)}`]),
    ...states,
    ...(description?.value ? [`(${description.value})`] : []),
  ].join(' ');
}
