/** Oldest supported versions of browsers. The build, the check of its files and the message to older browsers follow them, and `browserslist` of package.json. */
export const browsers = { chrome: '109', edge: '109', firefox: '115', safari: '15.4' } as const;

/** The same as targets of the bundler. */
export const buildTargets = Object.entries(browsers).map(([name, version]) => `${name}${version}`);
