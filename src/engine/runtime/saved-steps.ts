import type { Flow, Save, Step } from '../core/definition.ts';
import { stepsBefore } from '../core/progress.ts';
import { droppedVariable, readJourney, savedVariables, type SavedJourney } from '../core/saved.ts';
import { enter } from '../core/transition.ts';
import { checkForm, isEmpty } from '../core/validate.ts';
import type { FormModel } from './form/form-model.ts';
import type { HistoryState } from './flow-services.ts';
import { findNotice, type View } from './flow-state.ts';
import type { SentForm, Steps, StepsHost } from './flow-steps.ts';
import type { FlowSteps } from './steps.ts';

/** Where the journeys of who is signed in are saved, by flow. Nothing here throws: a journey that is not saved is one of this page alone. */
export interface JourneyStore {
  /** Whose journeys are saved: a name of who is signed in; null: nobody is. */
  readonly owner: () => string | null;
  /** What was saved; anything else where nothing was. */
  readonly load: (flow: string) => Promise<unknown>;
  readonly save: (flow: string, journey: SavedJourney) => Promise<void>;
  readonly forget: (flow: string) => Promise<void>;
}

/** A flow that saves its journeys. */
export type SavedFlow = Flow & { readonly save: Save };

/** What the steps of a flow are opened with. */
export interface SavedStepsParts {
  readonly flow: SavedFlow;
  readonly host: StepsHost;
  readonly draw: unknown;
  readonly journeys: JourneyStore;
}

/**
 * Opens the steps of a flow that saves them. Loaded with such flows alone: what it stands on, the steps of any flow, is given, so that
 * the script of those is cut in no other way because of it.
 */
export function openSavedSteps(Base: typeof FlowSteps, parts: SavedStepsParts): Steps {
  return new (savedSteps(Base))(parts);
}

/** Steps that are saved each time that one leads to another, and that go on where who comes back left them. */
const savedSteps = (Base: typeof FlowSteps) =>
  class SavedSteps extends Base {
    readonly #flow: SavedFlow;
    readonly #host: StepsHost;
    readonly #journeys: JourneyStore;
    #owner: string | null = null;
    #asked = false;
    /** The step that was shown last. */
    #last: string | null = null;
    /** Fields whose saved values were refused, by their labels, until it is told; null: nothing went on. */
    #dropped: readonly string[] | null = null;
    /** What is being saved, one after the other, so that the latest is what stays. */
    #saving: Promise<void> = Promise.resolve();

    constructor({ flow, host, draw, journeys }: SavedStepsParts) {
      super(flow, host, draw);
      this.#flow = flow;
      this.#host = host;
      this.#journeys = journeys;
    }

    override async reach(wanted: string, entry: HistoryState | null): Promise<string> {
      const owner = this.#journeys.owner();
      if (this.#owner !== null && owner !== this.#owner) this.#clear(this.#steps.flat()); // somebody else's
      const known = owner === this.#owner;
      this.#owner = owner;
      if (known && this.#asked) return super.reach(wanted, entry);
      this.#asked = false;
      if (owner === null || !this.isStep(wanted)) return super.reach(wanted, entry);
      this.#asked = true;
      const journey = readJourney(await this.#journeys.load(this.#flow.id));
      if (!journey) return super.reach(wanted, entry);
      await this.recall(wanted, entry);
      await this.#restore(journey);
      const goal = this.#allowed(entry === null && this.isStep(journey.state) ? journey.state : wanted);
      const done = [...journey.done, ...(entry?.done ?? [])];
      return super.reach(goal, { flow: this.#flow.id, step: goal, variables: {}, depth: 0, ...entry, done });
    }

    override opened(state: string, draft: FormModel | null): void {
      super.opened(state, draft);
      if (!this.isStep(state)) return;
      const before = this.#last;
      this.#last = state;
      if (this.#dropped) this.#tell(this.#dropped);
      else if (before !== null && before !== state) this.#save(state);
    }

    override async take(view: View, body: unknown): Promise<SentForm | null> {
      await this.#saving; // what comes late would be saved behind the end of the journey
      return super.take(view, body);
    }

    override finish(state: string): void {
      super.finish(state);
      this.#last = null;
    }

    restart(view: View): void {
      const journey = this.#steps.find((steps) => steps.some(({ state }) => state === view.name));
      if (!journey?.[0]) return;
      const { store } = this.#host;
      const first = Object.entries(this.#flow.context ?? {}).flatMap(([name, { saved, default: value = null }]) =>
        saved ? [[name, value] as const] : [],
      );
      store.assign({ ...store.state.context, ...Object.fromEntries(first) });
      this.#host.enter(view, journey[0].state, []);
      // Leaving has just kept what was typed; the first step opens its form later than this.
      this.#clear(journey);
      this.#last = null;
      this.#saving = this.#saving.then(() => this.#journeys.forget(this.#flow.id));
    }

    get #steps(): readonly (readonly Step[])[] {
      return this.#flow.progress ?? [];
    }

    #clear(steps: readonly Step[]): void {
      for (const { state } of steps) {
        this.undo(state);
        this.#host.drafts.forget(state);
      }
    }

    /** Takes the forms of a saved journey as far as the screens of now ask for them and do not refuse them. */
    async #restore({ forms, variables }: SavedJourney): Promise<void> {
      const { store, drafts } = this.#host;
      store.assign({ ...store.state.context, ...savedVariables(this.#flow.context, variables) });
      const dropped: string[] = [];
      await this.fill(forms, (draft) => dropped.push(...dropRefused(draft)));
      const restored = this.#steps
        .flat()
        .some(({ state }) => Object.hasOwn(forms, state) && Object.keys(drafts.of(state)).length > 0);
      if (restored || dropped.length > 0) this.#dropped = dropped;
    }

    /** The last state up to a step that may be entered as things are now, without passing one that has something to say first. */
    #allowed(goal: string): string {
      const { store } = this.#host;
      const journey = [...stepsBefore(this.#flow, goal, this.#host.scope()).map(({ state }) => state), goal];
      const held = journey.find((state) => {
        const { target, leave, notice } = enter(this.#flow, state, store.scope());
        return target !== state || leave !== undefined || notice !== undefined;
      });
      return held ?? goal;
    }

    #tell(dropped: readonly string[]): void {
      const { store } = this.#host;
      const { resumed, refused } = this.#flow.save;
      this.#dropped = null;
      store.assign({ ...store.state.context, [droppedVariable]: dropped.join(', ') });
      const name = dropped.length > 0 ? refused : resumed;
      if (store.state.notice !== null) return; // what the step itself says as it opens comes first
      store.set({ notice: findNotice(store.state.view?.screen ?? null, name) });
    }

    #save(state: string): void {
      if (this.#owner === null || this.#journeys.owner() !== this.#owner) return;
      const { context } = this.#host.store.state;
      const { done, forms } = this;
      const journey = { state, done, forms, variables: savedVariables(this.#flow.context, context) };
      this.#saving = this.#saving.then(() => this.#journeys.save(this.#flow.id, journey));
    }
  };

/** Empties the fields of a form whose values are refused, and returns their labels. Missing values are not refused. */
function dropRefused(form: FormModel): readonly string[] {
  const dropped = new Map<string, string>();
  for (;;) {
    const { errors } = checkForm(form.validator, form.values, form.context);
    const refused = Object.keys(errors).filter((name) => !dropped.has(name) && !isEmpty(form.field(name)?.value));
    if (refused.length === 0) return [...dropped.values()];
    // A value may be refused because of another one: the rest is validated again.
    for (const name of refused) dropped.set(name, form.findFieldLabel(name));
    for (const name of refused) form.field(name)?.set(undefined);
  }
}
