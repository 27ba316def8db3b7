/** A share of 0 to 1 as an SVG length that follows the width of the page. */
export const asPercent = (share: number): string => `${share * 100}%`;
