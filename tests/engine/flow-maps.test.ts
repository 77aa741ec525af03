import { expect, test } from 'vitest';
import { formatFlowMaps } from '../../src/engine/map/format-flow-maps.ts';
import { loadProject } from './support/project.ts';
import { bookingFlow, forms, wizardFiles } from './support/wizard.ts';

/** Returns the lines of the map that begin with a state, up to the next one, without tags. */
function readState(html: string, anchor: string): readonly string[] {
  const [, part = ''] = html.split(`<h3 id="${anchor}">`);
  const lines = (part.split(/<h[23]/, 1)[0] ?? '').split('\n');
  return lines.map((line) => line.replaceAll(/<[^>]+>/g, '').trim()).filter(Boolean);
}

async function drawMap(states: object = {}) {
  const flow = { ...bookingFlow, states: { ...bookingFlow.states, ...states } };
  const { definitions, problems } = await loadProject({ ...wizardFiles, 'flows/main.json': flow }, { forms });
  if (!definitions) throw new Error(JSON.stringify(problems));
  return formatFlowMaps(definitions, 'es');
}

test('[ENG-11] map of a flow lists its states in their order, with the buttons, operations and guards of their transitions', async () => {
  const html = await drawMap();
  const anchors = [...html.matchAll(/<h3 id="([^"]+)"/g)].map(([, anchor]) => anchor);
  expect(anchors).toEqual(['main.contact', 'main.phone', 'main.time', 'main.confirm', 'main.booked']);
  expect(readState(html, 'main.contact')).toEqual([
    'Contacto (contact) /contact',
    'Seguir if {&quot;var&quot;:&quot;flags.on&quot;} → Teléfono (phone)',
    'Seguir → Día y hora (time)',
  ]);
  expect(readState(html, 'main.confirm')).toEqual([
    'Confirmar (confirm) /confirm',
    'Seguir: save succeeds → Reservado (booked)',
    'Seguir: save fails if {&quot;var&quot;:&quot;error.next&quot;} → the URL in error.next',
    expect.stringMatching(/^Seguir: save fails if .*taken.* → Día y hora \(time\)$/),
    'Seguir: save fails stays',
  ]);
  expect(html).toContain('→ <a href="#main.time">Día y hora (time)</a>');
  expect(html).not.toContain('never reached');
});

/** A rule that is false for every value of the flag. */
const never = { and: [{ var: 'flags.on' }, { '!': { var: 'flags.on' } }] };

/** A state that only a branch with this rule reaches. */
const withLostState = {
  time: {
    ...bookingFlow.states.time,
    on: { submit: 'confirm', back: [{ guard: never, target: 'lost' }, { target: 'contact' }] },
  },
  lost: { screen: 'phone', on: { submit: 'contact' } },
};

test('[ENG-11] map of a flow marks states that no path reaches and transitions that are never taken', async () => {
  const html = await drawMap(withLostState);
  expect(readState(html, 'main.lost')[0]).toBe('Teléfono (lost) never reached');
  expect(readState(html, 'main.time').filter((line) => line.endsWith('never taken'))).toEqual([
    expect.stringMatching(/^Volver if .* → Teléfono \(lost\) never taken$/),
  ]);
});

test('[ENG-11] diagram of a flow links each state to its transitions, labels arrows with buttons and dashes unreached states', async () => {
  const html = await drawMap(withLostState);
  const [svg = ''] = /<svg.*<\/svg>/.exec(html) ?? [];
  expect(
    [...svg.matchAll(/<a href="#([^"]+)"( class="never")?/g)].map(([, to, never]) => [to, never !== undefined]),
  ).toEqual([
    ['main.contact', false],
    ['main.phone', false],
    ['main.time', false],
    ['main.confirm', false],
    ['main.booked', false],
    ['main.lost', true],
  ]);
  expect(svg.match(/<path d="M[^"]+" marker-end/g)).toHaveLength(6);
  expect(svg).toContain('>Seguir</text>');
});
