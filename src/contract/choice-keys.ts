/** Properties of the items of a response that a select takes as value and label of its choices. The first existing one applies. */
export const choiceKeys = { value: ['codigo', 'id', 'hora_inicio'], label: ['nombre'] } as const;
