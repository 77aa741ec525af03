import { createContext, useContext, type ComponentType, type ReactNode } from 'react';
import type { OperationParams } from '../core/operation-result.ts';
import type { EngineTranslate } from '../runtime/engine-text.ts';
import type { ChoicePropertyNames, OperationResponseState } from './widget.ts';

export interface EngineServices {
  /** Invokes a GET operation without a cache. `signal` aborts if the response is no longer needed. */
  load(operation: string, params?: OperationParams, signal?: AbortSignal): Promise<unknown>;
  /** Returns the cached response of a GET operation, loaded once per page and parameters. The object is stable until the response changes. */
  source(operation: string, params?: OperationParams): OperationResponseState;
  subscribe(operation: string, listener: () => void, params?: OperationParams): () => void;
  /** Discards a cached response. Fields that use this response load it again. */
  retry(operation: string, params?: OperationParams): void;
  reload(): void;
  /** Announces to screen readers that content is loading. Returns a function to call when it has loaded. */
  wait(text: string): () => void;
  /** Returns the current time, from the server's clock if available, because the clock of the device may be wrong by hours. */
  now(): Date;
  formatDate(date: string, language: string): string;
  /** IANA name of the time zone for times in forms, e.g. the time zone of a country's offices. Defaults to the time zone of the browser. */
  readonly timeZone?: string | undefined;
  readonly t: EngineTranslate;
  titled(title: string): string;
  /** Time until a success notice disappears, in milliseconds. */
  readonly snackbarMs: number;
  readonly choiceKeys: ChoicePropertyNames;
  readonly Link: ComponentType<{ to: string; className?: string; children: ReactNode }>;
  /** Help on error pages: a search field and, with `links`, links to the main pages, for error pages without links of their own. */
  readonly ErrorHelp?: ComponentType<{ readonly links?: boolean }>;
}

const EngineContext = createContext<EngineServices | null>(null);

export const EngineProvider = EngineContext.Provider;

export function useEngine(): EngineServices {
  const services = useContext(EngineContext);
  if (!services) throw new Error('There is no EngineProvider above.');
  return services;
}
