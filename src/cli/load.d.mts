import type { BuildOptions } from 'esbuild';

/** Arguments of `importSource` and `prebuild`: the source text of a module, and its folder. */
type Contents = readonly [contents: string, folder: string];

export declare function createRunSource(entry: string): Contents;
export declare function createCommandSource(file: string): Contents;
export declare function importSource(contents: string, folder: string, isCached?: boolean): Promise<unknown>;
export declare function prebuild(...contents: Contents): Promise<void>;
export declare function prebuildSamples(): Promise<void>;
export declare function buildCached(contents: string, folder: string, options?: BuildOptions): Promise<string>;
export declare function hashCachedModule(...contents: Contents): string;
