/** States of a call. Section 4.2 of the specification defines those of an elevation. Only support calls can be `Reservado`, `Vencido` and `Atendido`. */
export const videoCallStates = [
  'Reservado',
  'Agendado',
  'Pendiente agente',
  'Pendiente verificación',
  'Pendiente usuario',
  'Rechazado agente',
  'Rechazado verificación',
  'Error',
  'Exitoso',
  'Atendido',
  'Cancelado',
  'Vencido',
] as const;
