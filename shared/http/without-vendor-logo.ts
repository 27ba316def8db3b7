const NOTHING = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** The viewer would ask its vendor's host for a logo on every visit: the page must load nothing from third parties. */
export const withoutVendorLogo = (script: string): string =>
  script.replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w./-]+/g, NOTHING);
