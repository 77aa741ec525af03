import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import type { EngineTexts } from '../runtime/engine-text.ts';
import type { ChoiceKeys, Source } from './widget.ts';

/** What the engine needs of the portal around it. */
export interface EngineServices {
  /** Invokes a GET operation, past every cache. */
  load(operation: string, params?: Readonly<Record<string, string>>): Promise<unknown>;
  /** The answer of a GET operation, loaded once per page and parameters; the same object until it changes. */
  source(operation: string, params?: Readonly<Record<string, string>>): Source;
  /** Tells when the source changed. */
  subscribe(operation: string, listener: () => void, params?: Readonly<Record<string, string>>): () => void;
  /** Loads a source again that could not be loaded. */
  retry(operation: string, params?: Readonly<Record<string, string>>): void;
  /** Loads the page anew. */
  reload(): void;
  /** Says to who cannot see it that something is awaited; answers the way to say that it came. */
  wait(text: string): () => void;
  /** What time it is: by the server's clock where there is one, since the device's may be wrong by hours. */
  now(): Date;
  /** IANA name of the time zone in which people read and write the hour, e.g. that of a country's offices; absent: that of their browser. */
  readonly timeZone?: string | undefined;
  /** A sentence of the engine itself (error summary, waiting), in the page's language. */
  readonly t: EngineTexts;
  /** What the browser's title bar says on a screen with this title. */
  titled(title: string): string;
  /** How long a message of success stays, in milliseconds. */
  readonly snackbarMs: number;
  /** Where answers of operations keep the choices that they offer. */
  readonly choiceKeys: ChoiceKeys;
  /** A link to a path of the portal. */
  readonly Link: ComponentType<{ to: string; className?: string; children: ReactNode }>;
}

const EngineContext = createContext<EngineServices | null>(null);

export const EngineProvider = EngineContext.Provider;

/** The services of the portal. Throws outside an EngineProvider. */
export function useEngine(): EngineServices {
  const services = useContext(EngineContext);
  if (!services) throw new Error('There is no EngineProvider above.');
  return services;
}
