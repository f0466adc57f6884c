import fc from 'fast-check'
import { TEMPLATE_FILTERS } from '../../../mock-gateway/templates/filters.ts'
import { hostileText } from './fuzz-values.ts'

const PATHS = [
  ...[
    'transaction',
    'transaction.amount',
    'transaction.metadata',
    'transaction.items[0].description',
    'transaction.href',
  ],
  ...[
    'transaction.merchant.name',
    "transaction.merchant.settings_hosted['v2'].x",
    'transaction.customer.ref',
    'endpoint',
  ],
  ...[
    'currency',
    'error.description',
    'error',
    'nonce',
    'now',
    'unknown',
    'transaction.nothing',
    "'text'",
    '1',
    'x',
    '',
  ],
]
const ARGUMENTS = [
  '',
  '',
  ": 'a'",
  ': 2',
  ": 'a', 'b'",
  ': transaction.amount',
  ": '%Y-%m-%d'",
  ': 1e9',
  ': -1',
]
const TAGS = [
  ...[
    'if transaction.test',
    'else',
    'endif',
    'unless x',
    'endunless',
    'for i in transaction.items',
    'for i in (1..9999999)',
  ],
  ...[
    'endfor',
    'assign x = transaction.amount',
    'capture x',
    'endcapture',
    'comment',
    'endcomment',
    'raw',
    'endraw',
    'break',
  ],
  ...[
    "include 'footer'",
    "include 'nowhere'",
    "render 'footer'",
    'include x',
    "layout 'x'",
    'case currency',
    "when 'sek'",
  ],
  ...[
    'endcase',
    'cycle 1, 2',
    'increment n',
    'tablerow i in (1..3)',
    'endtablerow',
    'unknown',
    '',
    'block b',
    'endblock',
  ],
]
const MARKUP = [
  ...[
    '<!doctype html><html>',
    '<head>',
    '</head>',
    '<body>',
    '<form method="post">',
    '<form>',
    '</form>',
    '<p>',
    '</p>',
  ],
  ...[
    '<script>',
    'var x = ',
    "'",
    '"',
    '`',
    '</script>',
    '<script src="',
    '<script type="text/x">',
    '<style>',
    '</style>',
  ],
  ...[
    '<a href="',
    '<a href=',
    '<img onerror="',
    '<div style="',
    ' title=',
    '>',
    '">',
    '<!--',
    '-->',
    '<input name="card_number">',
  ],
  ...[
    '<iframe srcdoc="',
    '<textarea>',
    '</textarea>',
    '<svg>',
    '{{',
    '}}',
    '{%',
    '%}',
    '{%-',
    '-}}',
    '\n',
    'å ä ö',
  ],
]
const FILTERS = [
  ...Object.keys(TEMPLATE_FILTERS),
  'plus',
  'minus',
  'size',
  'first',
  'sort',
  'map',
  'join',
  'default',
  'nothing',
]

const filter = fc
  .tuple(fc.constantFrom(...FILTERS), fc.constantFrom(...ARGUMENTS))
  .map(([name, given]) => ` | ${name}${given}`)
const output = fc
  .tuple(fc.constantFrom(...PATHS), fc.array(filter, { maxLength: 3 }))
  .map(([path, filters]) => `{{ ${path}${filters.join('')} }}`)
const tag = fc.constantFrom(...TAGS).map((inside) => `{% ${inside} %}`)
const loop = fc
  .tuple(tag, output)
  .map(([begin, inside]) => `${begin}${inside}{% end${/\w+/.exec(begin)?.[0] ?? ''} %}`)

/** Templates made of Liquid pieces, mostly in a valid order. */
export const mutatedLiquid: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: output },
      { weight: 4, arbitrary: fc.constantFrom(...MARKUP) },
      { weight: 2, arbitrary: loop },
      { weight: 1, arbitrary: tag },
      { weight: 1, arbitrary: hostileText },
    ),
    { maxLength: 14 },
  )
  .map((pieces) => pieces.join(''))
