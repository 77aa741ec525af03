/** The widgets that the engine brings itself, by their name in `ui:widget`, and the types of fields whose values each can hold. */
export const ownWidgets = {
  text: ['string'],
  email: ['string'],
  tel: ['string'],
  textarea: ['string'],
  date: ['string'],
  number: ['number', 'integer'],
  checkbox: ['boolean'],
  select: ['string', 'number', 'integer'],
  radio: ['string', 'number', 'integer'],
  checkboxes: ['array'],
  hidden: ['string', 'number', 'integer', 'boolean', 'array'],
} as const;

/** The name of one of them. */
export type OwnWidget = keyof typeof ownWidgets;
