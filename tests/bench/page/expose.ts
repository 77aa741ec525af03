/** What a bench page tells whoever drives it. */
interface BenchHooks {
  readonly field: (name: string) => Element | null;
  readonly errorSelector: string;
  readonly submitSelector: string;
}

/** Says that the form is on the page, after the frame that shows it. */
export function expose(hooks: BenchHooks): void {
  Reflect.set(window, '__bench', hooks);
  requestAnimationFrame(() => setTimeout(() => Reflect.set(window, '__ready', true), 0));
}

/** Keeps what a valid submit would send. */
export function submitted(data: unknown): void {
  if (data !== undefined) Reflect.set(window, '__submitted', data);
}
