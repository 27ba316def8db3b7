import { blankCanvas } from './canvas';

/** Brought by some systems, office suites and design programs, and so not the same on every desk. */
const FONTS = [
  'Arial Unicode MS',
  'Bahnschrift',
  'Calibri',
  'Century Gothic',
  'Futura',
  'Garamond',
  'Gill Sans MT',
  'Impact',
  'Meiryo',
  'Myriad Pro',
  'Noto Sans',
  'Roboto',
  'Segoe UI Variable',
  'Ubuntu',
];

/** A font is there when text in it is not as wide as in the font that stands in for it. */
export function installedFonts(): string | undefined {
  const context = blankCanvas();
  if (!context) return undefined;
  const widthIn = (family: string): number => {
    context.font = `64px ${family}`;
    return context.measureText('mmMwWLliI0&1').width;
  };
  const missing = widthIn('monospace');
  return FONTS.map((font) => (widthIn(`"${font}", monospace`) === missing ? 0 : 1)).join('');
}
