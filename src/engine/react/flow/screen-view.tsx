import { Fragment, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { ScreenAsideUi, ScreenLinkUi, ScreenNotice } from '../../core/flow-and-screen-types.ts';
import type { ValuesByName } from '../../core/json.ts';
import { isRuleTrue } from '../../core/json-logic.ts';
import { fillPlaceholders, preventLineBreaks, preventLineBreaksInProse } from '../../core/messages.ts';
import { resolveScreenHeading, resolveIntroParagraphs } from '../../core/screen-ui-queries.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';
import { useEngine } from '../engine-context.ts';
import { ErrorSummary } from './error-summary.tsx';
import { ScreenActions } from './screen-actions.tsx';
import { ScreenIntro } from './screen-intro.tsx';
import type { LoadedScreen } from '../../runtime/flow-services.ts';
import type { Theme } from '../theme.ts';
import type { ProgressBar } from '../../runtime/journey-steps.ts';
import type { ReviewedAnswers } from '../../runtime/reviewed-answers.ts';
import type { Widget } from '../widget.ts';
import { FormContext } from '../field/form-context.ts';
import { FormLayout } from '../field/form-layout.tsx';
import { NewTabLink } from '../field/field-template.tsx';
import { NoticeBox } from './notice-box.tsx';
import { AnswerReview } from './answer-review.tsx';
import { StepBar as DefaultStepBar } from './step-bar.tsx';

/** Props of a screen in one of two modes: live with its flow, or static, as markup before the script has loaded. */
export type ScreenProps = LiveScreenProps | (ScreenParts & StaticMode);

export type LiveScreenProps = ScreenParts & LiveMode;

interface ScreenParts {
  readonly screen: LoadedScreen;
  readonly form: FormModel | null;
  /** Flow variables and facts of the portal, for rules and for `{name}` in texts. */
  readonly context: ValuesByName;
  readonly facts: ValuesByName;
  readonly titleId?: string | undefined;
  /** Whether to set the document title. False in a dialog. */
  readonly titled?: boolean;
  /** Whether the screen is a section of a block's page. Its heading then has level 2. */
  readonly section?: boolean;
  readonly bar?: ProgressBar | null | undefined;
  readonly answers?: ReviewedAnswers | null | undefined;
}

interface LiveMode {
  readonly mode?: 'live';
  readonly notice: ScreenNotice | null;
  readonly busy: boolean;
  readonly direction: 'none' | 'forward' | 'back';
  readonly onEvent: (event: string) => void;
  readonly onDismiss: () => void;
}

interface StaticMode {
  readonly mode: 'static';
  /** Link targets by event. If present, the buttons are rendered as links. If absent, they are rendered as buttons. */
  readonly hrefs?: Readonly<Record<string, string>>;
}

const staticDefaults: LiveMode = {
  notice: null,
  busy: false,
  direction: 'none',
  onEvent: () => undefined,
  onDismiss: () => undefined,
};

const stepBarId = 'steps-here';

export function Screen(props: ScreenProps & { readonly theme: Theme }) {
  const { screen, form, theme, context, facts, titleId: givenId, titled = true, section, bar, answers } = props;
  const { notice, busy, direction, onEvent, onDismiss } = props.mode === 'static' ? staticDefaults : props;
  const hrefs = props.mode === 'static' ? props.hrefs : undefined;
  const { ui } = screen.validator.screen;
  const ownId = useId();
  const titleId = givenId ?? ownId;
  const { ErrorHelp } = useEngine();
  const { StepBar = DefaultStepBar } = theme;
  const scope = useMemo(() => ({ ...facts, context }), [facts, context]);
  const heading = resolveScreenHeading(ui, scope);
  const needsHelp = heading.tone === 'error' && titled && !section;
  const parts = useMemo(
    () => form && { form, theme, widgets: screen.widgets as Readonly<Record<string, Widget>> },
    [form, theme, screen],
  );
  const send = useRef(onEvent);
  useLayoutEffect(() => void (send.current = onEvent));
  // A layout effect, because effects of widgets may send the form as soon as it is mounted.
  useLayoutEffect(() => form?.onSend((event) => send.current(event)), [form]);
  const text = (template: string) => preventLineBreaks(fillPlaceholders(template, { ...facts, ...context }));
  const ofField = form !== null && notice?.field !== undefined;
  const [firstNotice] = useState(notice);
  const noticeLinks = [notice?.link, notice?.other].flatMap((link, at) =>
    link && isRuleTrue(link.visible, scope)
      ? [
          <Fragment key={at}>
            {' '}
            <ScreenLink link={link} text={text} onEvent={onEvent} />
          </Fragment>,
        ]
      : [],
  );
  const box = notice && !ofField && (
    <NoticeBox notice={notice} onDismiss={onDismiss}>
      {preventLineBreaksInProse(text(notice.text))}
      {noticeLinks}
    </NoticeBox>
  );
  const isOfAction = notice?.intent === 'success' && notice !== firstNotice;
  const body = (
    <>
      {form && <ErrorSummary form={form}>{ofField && noticeLinks.length > 0 && <p>{noticeLinks}</p>}</ErrorSummary>}
      {answers && ui.review && <AnswerReview answers={answers} review={ui.review} facts={scope} />}
      {parts && (
        <FormContext value={parts}>
          <FormLayout parts={parts} />
        </FormContext>
      )}
      <ScreenActions {...{ ui, form, theme, scope, busy, text, hrefs, onEvent }} />
    </>
  );
  const main = (
    <section
      className="screen"
      data-screen={screen.validator.screen.id}
      data-direction={direction}
      data-tone={heading.tone}
      aria-labelledby={titleId}
    >
      {bar && <StepBar bar={bar} id={stepBarId} />}
      <Title
        id={titleId}
        text={text(heading.text)}
        describedBy={bar ? stepBarId : undefined}
        titled={titled}
        Heading={section ? 'h2' : 'h1'}
        focus={direction !== 'none'}
      />
      {!isOfAction && box}
      <ScreenIntro
        paragraphs={resolveIntroParagraphs(ui, scope)}
        text={text}
        renderLink={(link) => <ScreenLink link={link} text={text} onEvent={onEvent} />}
      />
      {form ? (
        <form
          noValidate
          aria-labelledby={titleId}
          onSubmit={(event) => {
            event.preventDefault();
            readControls(event.currentTarget, form);
            onEvent('submit');
          }}
        >
          {body}
        </form>
      ) : (
        body
      )}
      {isOfAction && box /* near the pressed button */}
      {ui.aside?.folded && (
        <details className="screen-more">
          <summary>{text(ui.aside.title)}</summary>
          <AsideContent aside={ui.aside} scope={scope} text={text} onEvent={onEvent} />
        </details>
      )}
      {needsHelp && ErrorHelp && <ErrorHelp />}
      <Links links={ui.links} scope={scope} text={text} onEvent={onEvent} />
    </section>
  );
  if (!ui.aside || ui.aside.folded) return main;
  return (
    <div className="screen-beside">
      {main}
      <ScreenAside aside={ui.aside} scope={scope} text={text} onEvent={onEvent} />
    </div>
  );
}

interface TitleProps {
  readonly id: string;
  readonly text: string;
  /** Id of the text with the current step, announced together with the focused heading. */
  readonly describedBy: string | undefined;
  readonly titled: boolean;
  readonly Heading: 'h1' | 'h2';
  readonly focus: boolean;
}

function Title({ id, text, describedBy, titled, Heading, focus }: TitleProps) {
  const engine = useEngine();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (titled) document.title = engine.titled(text);
    if (!focus) return;
    if (titled) window.scrollTo(0, 0); // focusing does not always scroll the top of the page into view
    heading.current?.focus();
  }, [engine, text, titled, focus]);
  return (
    <Heading id={id} ref={heading} tabIndex={-1} aria-describedby={describedBy}>
      {text}
    </Heading>
  );
}

interface LinkParts extends Pick<LiveMode, 'onEvent'> {
  readonly scope: ValuesByName;
  readonly text: (template: string) => string;
}

function Links({ links = [], scope, text, onEvent }: LinkParts & { links: readonly ScreenLinkUi[] | undefined }) {
  const shown = links.filter(({ visible }) => isRuleTrue(visible, scope));
  if (shown.length === 0) return null;
  return (
    <ul className="screen-links">
      {shown.map((link) => (
        <li key={links.indexOf(link)}>
          <ScreenLink link={link} text={text} onEvent={onEvent} />
        </li>
      ))}
    </ul>
  );
}

function ScreenAside(props: LinkParts & { aside: ScreenAsideUi }) {
  const titleId = useId();
  return (
    <aside className="screen-aside" aria-labelledby={titleId}>
      <h2 id={titleId}>{props.text(props.aside.title)}</h2>
      <AsideContent {...props} />
    </aside>
  );
}

function AsideContent({ aside, scope, text, onEvent }: LinkParts & { aside: ScreenAsideUi }) {
  return aside.parts
    .filter(({ visible }) => isRuleTrue(visible, scope))
    .map((part) => (
      <Fragment key={aside.parts.indexOf(part)}>
        {part.title !== undefined && <h3>{text(part.title)}</h3>}
        {part.text !== undefined && <p>{preventLineBreaksInProse(text(part.text))}</p>}
        <Links links={part.links} scope={scope} text={text} onEvent={onEvent} />
      </Fragment>
    ));
}

function ScreenLink({ link, text, onEvent }: Omit<LinkParts, 'scope'> & { link: ScreenLinkUi }): ReactNode {
  const { Link } = useEngine();
  const { event, newTab } = link;
  const to = text(link.to ?? '/');
  if (event !== undefined)
    return (
      <button type="button" className="link-button" onClick={() => onEvent(event)}>
        {text(link.text)}
      </button>
    );
  if (newTab) return <NewTabLink to={to}>{text(link.text)}</NewTabLink>;
  if (/^(https?|mailto|tel):/.test(to))
    return (
      <a href={to} rel="noreferrer">
        {text(link.text)}
      </a>
    );
  return <Link to={to}>{text(link.text)}</Link>;
}

/** Dispatches events for controls that a password manager or a restored page has filled in without events. */
function readControls(element: HTMLFormElement, form: FormModel): void {
  for (const control of element.elements) {
    const event = findMissedEvent(control, (name) => form.field(name)?.typed);
    if (event !== null) control.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

function findMissedEvent(control: Element, typedIn: (name: string) => unknown): 'input' | 'click' | 'change' | null {
  if (control instanceof HTMLSelectElement)
    return control.selectedIndex > 0 && typedIn(control.name) === undefined ? 'change' : null;
  if (control instanceof HTMLTextAreaElement) return isTyped(control.value, typedIn(control.name)) ? null : 'input';
  if (!(control instanceof HTMLInputElement) || control.readOnly || control.type === 'file') return null;
  if (control.type === 'checkbox' || control.type === 'radio')
    return control.checked && [typedIn(control.name) ?? []].flat().length === 0 ? 'click' : null;
  return isTyped(control.value, typedIn(control.name)) ? null : 'input';
}

function isTyped(text: string, typed: unknown): boolean {
  return text === (typed ?? '');
}
