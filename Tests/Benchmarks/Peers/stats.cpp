// The work of `mistertop stats` with simdjson: `simdjson-stats FILE`.
//
// One thread, the file read in chunks cut at line ends. Lines that hold no number are passed over, as the other peers
// do. Percentiles come from a histogram of the doubles' upper bits.

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Tally {
  uint64_t count = 0;
  double sum = 0, least = INFINITY, most = -INFINITY;
  // 64 bins an octave, of positive numbers from 2^-64 to 2^64; all others count at the ends.
  static constexpr int64_t octaves = 128, first = (1023 - 64) * 64;
  std::vector<uint32_t> bins = std::vector<uint32_t>(octaves * 64);

  void add(double value) {
    count += 1;
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    bins[std::clamp<int64_t>(value > 0 ? static_cast<int64_t>(bits >> 46) - first : 0, 0, octaves * 64 - 1)] += 1;
  }

  double percentile(double percent) const {
    auto rank = static_cast<uint64_t>(std::ceil(count * percent / 100)), seen = uint64_t{0};
    for (size_t bin = 0; bin < bins.size(); ++bin) {
      if ((seen += bins[bin]) < rank) continue;
      uint64_t bits = (bin + first) << 46 | uint64_t{1} << 45;
      double value;
      std::memcpy(&value, &bits, sizeof value);
      return std::max(least, std::min(most, value));
    }
    return most;
  }
};

bool decode(std::string_view text, std::string &out) {
  static const auto values = [] {
    std::vector<int> table(256, -1);
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int index = 0; index < 64; ++index) table[static_cast<unsigned char>(letters[index])] = index;
    return table;
  }();
  out.clear();
  unsigned bits = 0, held = 0;
  for (unsigned char letter : text) {
    if (letter == '=') break;
    if (values[letter] < 0) return false;
    bits = bits << 6 | static_cast<unsigned>(values[letter]);
    if ((held += 6) >= 8) out.push_back(static_cast<char>(bits >> (held -= 8)));
  }
  return true;
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 2) return 2;
  FILE *file = std::fopen(arguments[1], "rb");
  if (!file) return 1;
  simdjson::ondemand::parser parser;
  std::unordered_map<std::string, Tally> tallies;
  std::string key, text;
  std::vector<char> buffer((4 << 20) + simdjson::SIMDJSON_PADDING);
  size_t held = 0;
  while (size_t more = std::fread(buffer.data() + held, 1, (4 << 20) - held, file)) {
    held += more;
    size_t end = held;
    while (end > 0 && buffer[end - 1] != '\n') --end;
    auto documents = parser.iterate_many(buffer.data(), end, 1 << 20);
    if (documents.error()) return 1;
    for (auto document : documents.value_unsafe()) {
      std::string_view bucket, name, type, value;
      auto metric = document["metric"];
      if (metric["bucket"].get_string().get(bucket)) bucket = {};
      if (metric["name"].get_string().get(name) || metric["valueTypeString"].get_string().get(type)) continue;
      key.assign(bucket).append(1, ' ').append(name).append(1, ' ').append(type);
      if (document["value"].get_string().get(value) || !decode(value, text)) continue;
      char *stop = nullptr;
      double number = std::strtod(text.c_str(), &stop);
      if (stop != text.c_str() && *stop == 0) tallies[key].add(number);
    }
    std::memmove(buffer.data(), buffer.data() + end, held - end);
    held -= end;
  }
  for (const auto &[name, tally] : tallies)
    std::printf("%s %llu %.17g %.17g %.17g %.17g %.17g\n", name.c_str(), static_cast<unsigned long long>(tally.count),
                tally.sum / tally.count, tally.least, tally.most, tally.percentile(50), tally.percentile(99));
}
