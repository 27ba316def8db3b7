import openapi from '../../docs/openapi.json';
import { staticText } from '../../shared/http/static-text';

export const handler = staticText({ contentType: 'application/json', text: JSON.stringify(openapi) });
