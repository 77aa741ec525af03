import type { Flow, LogicTemplate, StateDefinition } from '../core/flow-and-screen-types.ts';
import { findVariablePath } from '../core/json-logic.ts';
import { escapeHtml } from '../core/values/escape-html.ts';
import type { ServedDefinitions } from '../compiler/definitions.ts';
import { exploreFlow } from '../compiler/explore/explore-flow.ts';
import type { FlowExploration } from '../compiler/explore/state-space.ts';
import { listUiLinks } from '../compiler/screen/schema-fields.ts';
import { buildSvgLinePath, layOutFlowMap, maxLabelLetters, stateBoxSize, truncateWithEllipsis } from './flow-layout.ts';
import { addChallengeNode, challengeNode, listTransitionArrows, type TransitionArrow } from './transition-branches.ts';

/** Texts of a flow's map. */
interface MapTexts {
  readonly resolveTitle: (state: string) => string;
  readonly resolveEvent: (state: string, event: string) => string | undefined;
}

/** Returns an HTML page with a diagram and the transitions of each flow. States link to their transitions, and transitions to their targets. */
export function formatFlowMaps({ flows, screens, ui, schema }: ServedDefinitions, language: string): string {
  const byId = new Map([...screens].map((id) => [id, { ui: ui(id, language), schema: schema(id) }]));
  const maps = Object.values(flows).map((flow) => {
    const nodes = addChallengeNode(flow);
    const uiOf = (state: string) => byId.get(nodes[state]?.screen ?? '')?.ui;
    const texts: MapTexts = {
      resolveTitle: (state) => {
        const title = uiOf(state)?.title;
        return (
          (typeof title === 'string' ? title : title?.[0]?.text) ?? (state === challengeNode ? 'Next challenge' : state)
        );
      },
      resolveEvent: (state, event) => {
        const own = uiOf(state);
        const links = own ? listUiLinks(own).map(([, link]) => link) : [];
        return [...(own?.actions ?? []), ...links].find((part) => part.event === event)?.text;
      },
    };
    return formatFlow(flow, nodes, texts, exploreFlow(flow, { screens: byId, operations: {} }));
  });
  return `<!doctype html>\n<html lang="${language}">\n<meta charset="utf-8">\n<title>Flows</title>\n<style>${styles}</style>\n${maps.join('')}</html>\n`;
}

const styles = [
  'body{font:1rem/1.5 system-ui;max-width:64rem;margin:auto;padding:1rem;color-scheme:light dark}',
  'li{margin:.25rem 0}code{font-size:.85em}:target{background:Mark;color:MarkText}',
  '.map{overflow:auto}svg{font:12px system-ui}svg path{fill:none;stroke:#777}svg rect{fill:Canvas;stroke:#777}',
  'svg text{fill:CanvasText}svg .label{text-anchor:middle;paint-order:stroke;stroke:Canvas;stroke-width:4px}',
  'svg .never rect{stroke-dasharray:4}',
].join('');

function formatFlow(
  flow: Flow,
  nodes: Readonly<Record<string, StateDefinition>>,
  texts: MapTexts,
  exploration: FlowExploration,
): string {
  const names = listInOrder(flow.initial, nodes);
  const isUnreached = (name: string) =>
    name !== challengeNode && !exploration.isCapped && !exploration.admittedStates.has(name);
  const states = names.map((name) => {
    const arrows = listTransitionArrows(nodes[name] ?? {}).map((arrow) => {
      const { branch } = arrow;
      const isNever =
        branch && !exploration.isCapped && exploration.candidateBranches.has(branch) && !exploration.taken.has(branch);
      return `<li>${formatArrow(flow, name, arrow, texts)}${isNever ? ' <b>never taken</b>' : ''}</li>\n`;
    });
    const path = nodes[name]?.path;
    const address = path === undefined ? '' : ` <code>${escapeHtml(path)}</code>`;
    const mark = isUnreached(name) ? ' <b>never reached</b>' : '';
    return `<h3 id="${createAnchor(flow, name)}">${formatTitle(name, texts)}${address}${mark}</h3>\n<ul>\n${arrows.join('')}</ul>\n`;
  });
  return `<h2>${escapeHtml(flow.id)}</h2>\n${drawFlow(flow, texts, isUnreached)}\n${states.join('')}`;
}

/** Returns the states in breadth-first order from the initial state, then the states that only a URL opens. */
function listInOrder(initial: string, nodes: Readonly<Record<string, StateDefinition>>): readonly string[] {
  const order = new Set([initial]);
  // the loop also visits the states that it adds
  for (const name of order)
    for (const { target } of listTransitionArrows(nodes[name] ?? {})) if (target !== undefined) order.add(target);
  for (const name of Object.keys(nodes)) order.add(name);
  return [...order];
}

/** Draws the states and the transitions away from the initial state. Transitions back are only in the list. */
function drawFlow(flow: Flow, texts: MapTexts, isUnreached: (state: string) => boolean): string {
  const { width, height, boxes, arrows } = layOutFlowMap(flow, texts.resolveEvent);
  const head = escapeHtml(`${flow.id}-head`);
  const lines = arrows
    .filter(({ onward }) => onward)
    .map(({ points, label }) => {
      const line = `<path d="${buildSvgLinePath(points)}" marker-end="url(#${head})"/>`;
      if (!label?.hasRoom) return line;
      return `${line}<text class="label" x="${Math.round(label.x)}" y="${Math.round(label.y) + 4}">${escapeHtml(truncateWithEllipsis(label.text, maxLabelLetters))}</text>`;
    });
  const drawn = [...boxes].map(([name, { x, y }]) => {
    const title = texts.resolveTitle(name);
    const box = `<rect x="${x}" y="${y}" width="${stateBoxSize.width}" height="${stateBoxSize.height}" rx="6" stroke-width="${name === flow.initial ? 3 : 1}"/>`;
    return `<a href="#${createAnchor(flow, name)}"${isUnreached(name) ? ' class="never"' : ''}><title>${escapeHtml(title)}</title>${box}<text x="${x + 8}" y="${y + 27}">${escapeHtml(truncateWithEllipsis(title))}</text></a>`;
  });
  const marker = `<marker id="${head}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>`;
  return `<div class="map" tabindex="0" role="group" aria-label="${escapeHtml(flow.id)}"><svg width="${width}" height="${height}">${marker}${lines.join('')}${drawn.join('')}</svg></div>`;
}

function formatArrow(flow: Flow, state: string, arrow: TransitionArrow, texts: MapTexts): string {
  const { on, operation, outcome, guard, target, branch, notice } = arrow;
  const isAtEntry = on === 'requires' || on === 'always' || on === 'invoke';
  const event = isAtEntry ? 'on entry' : (texts.resolveEvent(state, on) ?? on);
  const result = operation === undefined ? '' : `: ${operation} ${outcome === 'done' ? 'succeeds' : 'fails'}`;
  const rule = on === 'requires' ? { '!': [guard] } : guard;
  const condition = rule === undefined ? '' : ` if <code>${escapeHtml(JSON.stringify(rule))}</code>`;
  const end =
    target !== undefined
      ? `→ <a href="#${createAnchor(flow, target)}">${formatTitle(target, texts)}</a>`
      : branch?.leave !== undefined
        ? `→ ${formatLeave(branch.leave)}`
        : `stays${notice === undefined ? '' : `, notice ${escapeHtml(notice)}`}`;
  return `${escapeHtml(event + result)}${condition} ${end}`;
}

/** Formats the URL for which a branch leaves the flow, such as `/seguridad` or `the URL in context.next`. */
function formatLeave(leave: LogicTemplate): string {
  if (typeof leave === 'string') return `<code>${escapeHtml(leave)}</code>`;
  const path = findVariablePath(leave);
  return `${path === null ? '' : 'the URL in '}<code>${escapeHtml(path ?? JSON.stringify(leave))}</code>`;
}

function formatTitle(state: string, { resolveTitle }: MapTexts): string {
  const title = resolveTitle(state);
  return escapeHtml(title === state || state === challengeNode ? title : `${title} (${state})`);
}

function createAnchor({ id }: Flow, state: string): string {
  return escapeHtml(`${id}.${state}`);
}
