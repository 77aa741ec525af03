import type { Config } from './config.ts';

/** Dangers of how the agents' desk is set up, one sentence each: for the log at start and for `portal doctor`. A loopback server has none. */
export function deskRisks({
  loopback,
  baseUrl,
  agentsHost,
  agentDomains,
  elevationSecondAgent,
}: Pick<Config, 'loopback' | 'baseUrl' | 'agentsHost' | 'agentDomains' | 'elevationSecondAgent'>): readonly string[] {
  if (loopback) return [];
  const isShared = agentsHost === '' || agentsHost === new URL(baseUrl).origin;
  return [
    ...(isShared && agentDomains.length > 0
      ? [
          "AGENTS_HOST is empty: the desk shares its origin with the citizens' pages, so a script injected into any of them acts with the session of an agent. Give the desk a host of its own.",
        ]
      : []),
    ...(elevationSecondAgent
      ? []
      : ['ELEVATION_SECOND_AGENT is off: one agent alone raises the level of an account and changes its address.']),
  ];
}
