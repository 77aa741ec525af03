import type { BuildOptions } from 'esbuild';

/** Arguments of `load` and `keep`: the source text of a module, and its folder. */
type Contents = readonly [contents: string, folder: string];

export declare function contentsToRun(entry: string): Contents;
export declare function contentsOfCommand(file: string): Contents;
export declare function load(contents: string, folder: string, isCached?: boolean): Promise<unknown>;
export declare function keep(...contents: Contents): Promise<void>;
export declare function buildCached(contents: string, folder: string, options?: BuildOptions): Promise<string>;
export declare function digestOfCached(...contents: Contents): string;
