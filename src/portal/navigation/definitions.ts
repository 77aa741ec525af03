import { readPath } from '../../contract/href.ts';
import type { Flow } from '../../engine/core/definition.ts';
import type { Manifest, Route } from '../../engine/core/manifest.ts';
import { findRoute, type RouteMatch } from '../../engine/core/route.ts';
import { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { FlowServices } from '../../engine/runtime/flow-services.ts';
import { loadPart } from './load-part.ts';

const notFound = '*';

/** What flows with forms need, which pages of blocks do without. */
const loadScreens = () => import('./load-screen.ts');

/** What the portal is made of, as the manifest of its definitions names it: routes, and flows and screens that load when they are first needed. */
export class Definitions {
  #manifest: Manifest;
  readonly #runners = new Map<string, Promise<FlowRunner>>();
  readonly #ready = new Map<string, FlowRunner>();

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
  }

  /** The manifest of another language, or of a newer version, is followed from now on. */
  follow(manifest: Manifest): void {
    this.#manifest = manifest;
  }

  /** Asks the server whether there is a newer version. */
  async refresh(language: string): Promise<void> {
    const answer = await fetch(`/definitions/${this.#manifest.file ?? 'manifest'}.json?lang=${language}`);
    if (answer.ok) this.follow((await answer.json()) as Manifest); // the server's own manifest
  }

  /** The one way from an address to its route: decoded; undefined when it is no route of the portal. */
  routeAt(pathname: string): Route | undefined {
    return this.#match(pathname)?.route;
  }

  /** The values of the parameters of an address. */
  paramsAt(pathname: string): RouteMatch['params'] {
    return this.#match(pathname)?.params ?? {};
  }

  /** The route of every unknown address. */
  get notFoundRoute(): Route | undefined {
    return this.#manifest.routes.find((route) => route.path === notFound);
  }

  async #loadFlow(id: string): Promise<Flow> {
    const address = this.#manifest.flows[id] ?? '';
    const module = await loadPart(() => import(/* @vite-ignore */ address) as Promise<{ flow: Flow }>); // written by the compiler
    return module.flow;
  }

  async loadScreen(id: string, ahead = false): ReturnType<FlowServices['loadScreen']> {
    const load = async () => (await loadScreens()).loadScreen(this.#manifest.screens[id]?.url ?? '');
    return loadPart(load, ahead ? 'never' : 'once'); // while somebody types the page stays
  }

  /** The runner of a flow: one while the page lives, so that its context survives a change of address. */
  runner(flow: string, services: FlowServices): Promise<FlowRunner> {
    const known = this.#runners.get(flow);
    if (known) return known;
    const runner = this.#loadFlow(flow).then(async (definition) => {
      const steps =
        definition.progress && (await loadPart(async () => (await loadScreens()).loadSteps(definition, services)));
      const ready = new FlowRunner(definition, services, steps);
      this.#ready.set(flow, ready);
      return ready;
    });
    runner.catch(() => this.#runners.delete(flow));
    this.#runners.set(flow, runner);
    return runner;
  }

  /** The runner of a flow that was opened before; null when it must be loaded. */
  readyRunner(flow: string): FlowRunner | null {
    return this.#ready.get(flow) ?? null;
  }

  /** The runners of all flows that were opened. */
  readyRunners(): Iterable<FlowRunner> {
    return this.#ready.values();
  }

  /** Keeps what is typed in steps of flows, for a page that may be loaded anew. */
  keepTyped(): void {
    for (const runner of this.#ready.values()) runner.keep();
  }

  #match(pathname: string): RouteMatch | undefined {
    const path = readPath(pathname);
    return path === null ? undefined : findRoute(this.#manifest.routes, path);
  }
}
