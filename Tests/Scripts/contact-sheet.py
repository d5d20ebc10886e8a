#!/usr/bin/env python3
"""All screens of two programs side by side, from their own SVG: what a change does to the looks.

contact-sheet.py BEFORE AFTER OUT.png [SIZE…]     BEFORE and AFTER are programs; the sizes default to 120x36 80x24

Each row is a screen at a size, each pair of columns one of the looks: dark and light in 24-bit colour, 256 and 16 colours, ASCII.
Needs cairosvg and pillow of PyPI, and the font DejaVu Sans Mono.
"""
import io, json, os, re, subprocess, sys, tempfile
import cairosvg
from PIL import Image, ImageDraw

LOOKS = {'dark': ['--theme=dark', '--colors=24bit'], 'light': ['--theme=light', '--colors=24bit'],
         '256': ['--theme=dark', '--colors=256'], '16': ['--theme=dark', '--colors=16'],
         'ascii': ['--theme=dark', '--ascii', '--colors=none']}
LIMIT = '--limit=api.checkout.ms=400'
WIDTH = 620


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, check=True, env={**os.environ, 'TZ': 'UTC'}).stdout


def dots(x, y, cell, sign, look):
    """A sign of braille as circles, whatever fonts there are; Y is the foot of the text."""
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
    return ''.join(f'<circle cx="{x + cell * (0.27 + 0.5 * column):.2f}" cy="{y - 10.5 + 4 * row:.2f}" r="1.15"{look}/>'
                   for bit, (column, row) in enumerate(places) if ord(sign) - 0x2800 >> bit & 1)


def with_dots(svg):
    def split(match):
        x, y, length, content = float(match[1]), float(match[2]), float(match[3]), match[5]
        cell = length / len(re.sub('&[a-z]+;', '.', content))
        parts, column = '', 0
        for part in re.findall('[\u2800-\u28ff]|[^\u2800-\u28ff]+', content):
            width = len(re.sub('&[a-z]+;', '.', part))
            if '\u2800' <= part[0] <= '\u28ff':
                parts += dots(x + column * cell, y, cell, part, match[4])
            elif part.strip():
                parts += f'<text x="{x + column * cell:.1f}" y="{y}" textLength="{width * cell:.1f}"{match[4]}>{part}</text>'
            column += width
        return parts
    return re.sub('<text x="([0-9.]+)" y="([0-9.]+)" textLength="([0-9.]+)"([^>]*)>([^<]*)</text>', split, svg)


def picture(program, arguments):
    try:
        svg = with_dots(run(program, 'snapshot', '--svg', '--no-index', *arguments).decode())
        data = cairosvg.svg2png(bytestring=svg.encode(), output_width=WIDTH)
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode(), file=sys.stderr)
        return Image.new('RGB', (WIDTH, 100), 'black')
    return Image.open(io.BytesIO(data)).convert('RGB')


def main():
    before, after, out, *sizes = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        shop, storm, outage = (os.path.join(folder, name) for name in ('demo.jsonl', 'storm.jsonl', 'outage.jsonl'))
        run(after, 'demo', f'--history={shop}')
        run(after, 'simulate', 'rate-limit-storm', f'--out={storm}')
        run(after, 'simulate', '--delivery', 'endpoint-outage', f'--out={outage}')
        last = json.loads(open(shop).readlines()[-1])['timestamp']
        end = subprocess.run(['date', '-u', '-d', f'@{last + 978307200:.3f}', '+%FT%T.%3NZ'], capture_output=True, text=True)
        metric = '--metric=api.checkout.ms'
        shop_at = [LIMIT, metric, f'--at={end.stdout.strip()}', shop]
        screens = {'live': shop_at, 'history': shop_at, 'histogram': shop_at,
                   'sync': ['--at=2026-11-21T09:00:50Z', storm], 'delivery': ['--at=2026-11-21T20:16:15Z', outage]}
        rows = []
        for size in sizes or ['120x36', '80x24']:
            for screen, arguments in screens.items():
                row = [(f'{screen} {size} {look}, {when}', picture(program, [f'--screen={screen}', f'--size={size}', *options, *arguments]))
                       for look, options in LOOKS.items() for when, program in (('before', before), ('after', after))]
                rows.append(row)
    heights = [max(image.height for _, image in row) + 22 for row in rows]
    sheet = Image.new('RGB', (len(rows[0]) * (WIDTH + 8), sum(heights)), 'white')
    draw = ImageDraw.Draw(sheet)
    y = 0
    for row, height in zip(rows, heights):
        for column, (title, image) in enumerate(row):
            draw.text((column * (WIDTH + 8) + 4, y + 5), title, fill='black')
            sheet.paste(image, (column * (WIDTH + 8), y + 20))
        y += height
    sheet.resize((sheet.width // 2, sheet.height // 2), Image.LANCZOS).quantize(64).save(out, optimize=True)


main()
