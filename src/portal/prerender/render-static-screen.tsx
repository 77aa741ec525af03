import type { ReactNode } from 'react';
import { sanitizeRedirect } from '../../contract/sanitize-redirect.ts';
import type { TransitionBranch, Flow, Transition } from '../../engine/core/flow-and-screen-types.ts';
import type { ValuesByName } from '../../engine/core/json.ts';
import { isRuleTrue } from '../../engine/core/json-logic.ts';
import { hasPlaceholderValues, listPlaceholders } from '../../engine/core/messages.ts';
import { listDirectBranches, chooseFirstTrueBranch, resolveEnteredState } from '../../engine/core/transition.ts';
import { resolveIntroParagraphs, resolveHeadingText } from '../../engine/core/screen-ui-queries.ts';
import { fluentTheme } from '../../engine/fluent/fluent-theme.ts';
import { Screen } from '../../engine/react/flow/screen-view.tsx';
import type { LoadedScreen } from '../../engine/runtime/flow-services.ts';
import { resolveLeaveTarget } from '../navigation/portal-navigation.ts';
import type { Portal } from '../portal.ts';

interface StaticScreenProps {
  readonly flow: Flow;
  readonly state: string;
  /** Screen without fields. */
  readonly screen: LoadedScreen;
  readonly context: ValuesByName;
}

const linkKeys: readonly string[] = ['description', 'guard', 'leave'] satisfies (
  keyof TransitionBranch | 'description'
)[];

/** Renders a screen whose texts have no unknown values, which loads no data, and whose buttons are links. Returns `null` for any other screen. */
export function renderStaticScreen({ flow, state, screen, context }: StaticScreenProps, portal: Portal): ReactNode {
  const facts = portal.flows.facts();
  const { id, ui } = screen.validator.screen;
  const entered = resolveEnteredState(flow, state, { context, facts });
  const { screen: shown, on = {}, invoke, after, requires } = flow.states[entered.target] ?? {};
  if (shown !== id || entered.notice !== undefined || entered.leave !== undefined) return null;
  if (invoke || after || requires || flow.states[state]?.requires || ui.aside) return null;
  if (Object.values(flow.context ?? {}).some(({ persist }) => persist)) return null; // not static, because the browser may have stored variables that change the texts
  const scope: ValuesByName = { ...facts, context };
  const intro = resolveIntroParagraphs(ui, scope);
  const actions = (ui.actions ?? []).filter(({ visible }) => isRuleTrue(visible, scope));
  const links = (ui.links ?? []).filter(({ visible }) => isRuleTrue(visible, scope));
  const hrefs = Object.fromEntries(
    actions.flatMap(({ event }) => {
      const transition = on[event];
      const href = transition && resolveHref(flow, transition, { context, facts }, portal);
      return href ? [[event, href] as const] : [];
    }),
  );
  const isStill =
    intro.every(({ link }) => !link) &&
    actions.every(({ event }) => hrefs[event] !== undefined) &&
    links.every(
      ({ to, event, newTab }) => !event && !newTab && to?.startsWith('/') && listPlaceholders(to).length === 0,
    );
  const texts = [resolveHeadingText(ui, scope), ...[...intro, ...actions, ...links].map(({ text }) => text)];
  if (!isStill || !texts.every((text) => hasPlaceholderValues(text, scope))) return null;
  return (
    <Screen
      mode="static"
      screen={screen}
      theme={fluentTheme}
      form={null}
      context={context}
      facts={facts}
      hrefs={hrefs}
    />
  );
}

function resolveHref(
  flow: Flow,
  transition: Transition,
  scope: { readonly context: ValuesByName; readonly facts: ValuesByName },
  { config }: Portal,
): string | null {
  let taken: TransitionBranch | undefined;
  const { leave } = chooseFirstTrueBranch(flow, listDirectBranches(transition), {
    ...scope,
    onBranch: (branch) => (taken = branch),
  });
  if (!taken || !Object.keys(taken).every((key) => linkKeys.includes(key))) return null;
  const { address } = resolveLeaveTarget(leave, config.hosts);
  return typeof address === 'string' && sanitizeRedirect(address) === address ? address : null;
}
