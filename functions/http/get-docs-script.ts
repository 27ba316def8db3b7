import redoc from 'redoc/bundles/redoc.standalone.js';
import { staticText } from '../../shared/http/static-text';
import { withoutVendorLogo } from '../../shared/http/without-vendor-logo';

export const handler = staticText({ contentType: 'text/javascript; charset=utf-8', text: withoutVendorLogo(redoc) });
