/** Stands in for Fluent's theme package inside Fluent, whose table of the tokens is 30 KB: each is the custom property of its name. */
// oxlint-disable-next-line oxc/no-barrel-file -- it takes the place of a package
export * from '@fluentui/tokens';

export const tokens = new Proxy<Readonly<Record<string, string>>>({}, { get: (_, name) => `var(--${String(name)})` });
