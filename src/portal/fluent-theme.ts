import { webLightTheme, type Theme } from '@fluentui/react-components';

/** Fluent's tokens over the brand's custom properties of theme.css: another country replaces that file alone. */
export const fluentTheme: Theme = {
  ...webLightTheme,
  fontFamilyBase: 'var(--font-body)',
  fontSizeBase300: '1rem',
  fontSizeBase400: '1rem',
  lineHeightBase300: '1.5rem',
  colorBrandBackground: 'var(--primary)',
  colorBrandBackgroundHover: 'var(--primary-dark)',
  colorBrandBackgroundPressed: 'var(--primary-dark)',
  colorCompoundBrandBackground: 'var(--primary)',
  colorCompoundBrandBackgroundHover: 'var(--primary-dark)',
  colorCompoundBrandBackgroundPressed: 'var(--primary-dark)',
  colorCompoundBrandStroke: 'var(--primary)',
  colorCompoundBrandForeground1: 'var(--primary)',
  colorBrandStroke1: 'var(--primary)',
  colorNeutralStroke1: 'var(--field-border)',
  colorNeutralStrokeAccessible: 'var(--field-border)',
  colorNeutralStrokeAccessibleHover: 'var(--primary)',
  colorNeutralForeground1: 'var(--text)',
  colorNeutralForeground2: 'var(--text)',
  colorNeutralForeground3: 'var(--text-auxiliary)',
  colorNeutralForeground4: 'var(--text-placeholder)',
  colorPaletteRedBorder2: 'var(--error)',
  colorStrokeFocus2: 'var(--focus-inner)',
  borderRadiusMedium: '4px',
};
