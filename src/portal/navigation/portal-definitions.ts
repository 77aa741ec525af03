import { parseUrlPath } from '../../contract/build-href.ts';
import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import type { DefinitionsManifest, PageRoute } from '../../engine/core/definitions-manifest.ts';
import { findRoute, type RouteMatch } from '../../engine/core/route.ts';
import { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { FlowServices } from '../../engine/runtime/flow-services.ts';
import { loadModuleWithRetry } from './load-module.ts';

const notFoundPath = '*';

const importScreenLoader = () => import('./load-screen.ts');

export class PortalDefinitions {
  #manifest: DefinitionsManifest;
  readonly #runners = new Map<string, Promise<FlowRunner>>();
  readonly #ready = new Map<string, FlowRunner>();

  constructor(manifest: DefinitionsManifest) {
    this.#manifest = manifest;
  }

  replaceManifest(manifest: DefinitionsManifest): void {
    this.#manifest = manifest;
  }

  async reloadManifest(language: string): Promise<void> {
    // `fetch` instead of axios, which is 10 % of the scripts that a form needs before its first operation.
    const answer = await fetch(`/definitions/${this.#manifest.file ?? 'manifest'}.json?lang=${language}`);
    if (answer.ok) this.replaceManifest((await answer.json()) as DefinitionsManifest); // `json()` returns `any`; the server generates the manifest
  }

  resolveRoute(pathname: string): PageRoute | undefined {
    return this.#match(pathname)?.route;
  }

  paramsAt(pathname: string): RouteMatch['params'] {
    return this.#match(pathname)?.params ?? {};
  }

  get notFoundRoute(): PageRoute | undefined {
    return this.#manifest.routes.find((route) => route.path === notFoundPath);
  }

  async #loadFlow(id: string): Promise<Flow> {
    const address = this.#manifest.flows[id] ?? '';
    const module = await loadModuleWithRetry(() => import(/* @vite-ignore */ address) as Promise<{ flow: Flow }>); // a dynamic import is untyped; the compiler generated the module
    return module.flow;
  }

  async loadScreen(id: string, ahead = false): ReturnType<FlowServices['loadScreen']> {
    const load = async () => (await importScreenLoader()).loadScreen(this.#manifest.screens[id]?.url ?? '');
    return loadModuleWithRetry(load, ahead ? 'never' : 'once'); // a preload never reloads the page, because the user may be typing
  }

  /** Caches the runner for the lifetime of the page, so that the flow's context survives navigation. */
  loadRunner(flow: string, services: FlowServices): Promise<FlowRunner> {
    const known = this.#runners.get(flow);
    if (known) return known;
    const runner = this.#loadFlow(flow).then(async (definition) => {
      const steps =
        definition.progress &&
        (await loadModuleWithRetry(async () =>
          (await importScreenLoader()).loadJourneyStepsFactory(definition, services),
        ));
      const ready = new FlowRunner(definition, services, steps);
      this.#ready.set(flow, ready);
      return ready;
    });
    runner.catch(() => this.#runners.delete(flow));
    this.#runners.set(flow, runner);
    return runner;
  }

  getLoadedRunner(flow: string): FlowRunner | null {
    return this.#ready.get(flow) ?? null;
  }

  readyRunners(): Iterable<FlowRunner> {
    return this.#ready.values();
  }

  /** Stores the input of multi-step flows in the history entry, which survives a reload. */
  storeInput(): void {
    for (const runner of this.#ready.values()) runner.storeInputInHistory();
  }

  #match(pathname: string): RouteMatch | undefined {
    const path = parseUrlPath(pathname);
    return path === null ? undefined : findRoute(this.#manifest.routes, path);
  }
}
