import type { ReactNode } from 'react';
import { safeRedirect } from '../../contract/redirect.ts';
import type { Branch, Flow, Transition, Ui } from '../../engine/core/definition.ts';
import type { Values } from '../../engine/core/json.ts';
import { holds } from '../../engine/core/logic.ts';
import { fill, isKnown, placeholders, unbroken } from '../../engine/core/messages.ts';
import { branchesOf, choose, enter } from '../../engine/core/transition.ts';
import { introOf, titleOf } from '../../engine/core/ui.ts';
import { readLeave } from '../navigation/leave-address.ts';
import type { Portal } from '../portal.ts';
import { PortalLink } from '../shell/portal-link.tsx';

interface StillScreenParts {
  readonly flow: Flow;
  /** State that the address selects. */
  readonly state: string;
  /** Screen without fields, shown in that state. */
  readonly id: string;
  readonly ui: Ui;
  readonly context: Values;
}

/** Keys of a branch that a link can replace. */
const linkKeys: readonly string[] = ['description', 'guard', 'leave'] satisfies (keyof Branch | 'description')[];

/**
 * Renders a screen that works without scripts, such as an error page: all texts are known, no operation is needed, and every button can be a link.
 * Returns `null` for any other screen.
 */
export function stillScreen({ flow, state, id, ui, context }: StillScreenParts, portal: Portal): ReactNode {
  const facts = portal.flows.facts();
  const entered = enter(flow, state, { context, facts });
  const { screen, on = {}, invoke, after, requires } = flow.states[entered.target] ?? {};
  if (screen !== id || entered.notice !== undefined || entered.leave !== undefined) return null;
  if (invoke || after || requires || flow.states[state]?.requires || ui.aside) return null;
  if (Object.values(flow.context ?? {}).some(({ persist }) => persist)) return null; // the browser has stored values
  const scope: Values = { ...facts, context };
  const leadsTo = (transition: Transition | undefined): string | null =>
    transition === undefined ? null : linkOf(flow, transition, { context, facts }, portal);
  const title = titleOf(ui, scope);
  const intro = introOf(ui, scope);
  const actions = (ui.actions ?? [])
    .filter(({ visible }) => holds(visible, scope))
    .map(({ event, text, primary }) => ({ text, primary, to: leadsTo(on[event]) }));
  const links = (ui.links ?? []).filter(({ visible }) => holds(visible, scope));
  const texts = [title, ...[...intro, ...actions, ...links].map(({ text }) => text)];
  const leadsOn =
    intro.every(({ link }) => !link) &&
    actions.every(({ to }) => to !== null) &&
    links.every(({ to, event, newTab }) => !event && !newTab && to?.startsWith('/') && placeholders(to).length === 0);
  if (!leadsOn || !texts.every((text) => isKnown(text, scope))) return null;
  const say = (text: string): string => unbroken(fill(text, scope));
  return (
    <section className="screen" data-screen={id} data-tone={ui.tone ?? 'plain'} aria-labelledby="screen-title">
      <h1 id="screen-title" tabIndex={-1}>
        {say(title)}
      </h1>
      {intro.map(({ text }) => (
        <p key={text} className="screen-intro">
          {say(text)}
        </p>
      ))}
      {actions.length > 0 && (
        <div className="screen-actions">
          {actions.map(({ text, primary, to }) => (
            <a key={text} className={primary ? 'button button-primary' : 'button'} href={to ?? '/'}>
              {say(text)}
            </a>
          ))}
        </div>
      )}
      {links.length > 0 && (
        <ul className="screen-links">
          {links.map(({ text, to = '/' }) => (
            <li key={text}>
              <PortalLink to={to}>{say(text)}</PortalLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Returns the target of a transition that does nothing but navigate. Returns `null` for any other transition. */
function linkOf(
  flow: Flow,
  transition: Transition,
  scope: { readonly context: Values; readonly facts: Values },
  { page }: Portal,
): string | null {
  let taken: Branch | undefined;
  const { leave } = choose(flow, branchesOf(transition), { ...scope, onBranch: (branch) => (taken = branch) });
  if (!taken || !Object.keys(taken).every((key) => linkKeys.includes(key))) return null;
  const { address } = readLeave(leave, page.config.hosts);
  return typeof address === 'string' && safeRedirect(address) === address ? address : null;
}
