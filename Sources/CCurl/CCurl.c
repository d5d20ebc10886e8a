#include "CCurl.h"

#ifdef __linux__
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// The type-checking macro only recognizes the function by its original name.
#undef curl_easy_setopt

// Every function used, with its type from the header.
#define FUNCTIONS(USE) \
  USE(curl_global_init) \
  USE(curl_easy_init) \
  USE(curl_easy_setopt) \
  USE(curl_easy_cleanup) \
  USE(curl_easy_strerror) \
  USE(curl_slist_append) \
  USE(curl_slist_free_all) \
  USE(curl_multi_init) \
  USE(curl_multi_add_handle) \
  USE(curl_multi_remove_handle) \
  USE(curl_multi_perform) \
  USE(curl_multi_poll) \
  USE(curl_multi_info_read) \
  USE(curl_multi_cleanup)

struct mistertop_curl {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
  CURLM *multi;
  CURL *easy;
  struct curl_slist *headers;
  mistertop_curl_reader head, body;
  void *context;
  char error[CURL_ERROR_SIZE];
};

// OPENSSL_INIT_NO_ATEXIT of <openssl/crypto.h>.
static const uint64_t no_cleanup_at_exit = 0x00080000;

// A program may exit while another thread is inside OpenSSL, whose exit handler frees what that thread uses; both have
// been seen to crash. Must run before anything else initializes OpenSSL. Has no effect if libcurl uses another TLS
// library, or if the program has already used OpenSSL.
static void keep_at_exit(void *libraries) {
  int (*initialize)(uint64_t, const void *);
  *(void **)&initialize = dlsym(libraries, "OPENSSL_init_crypto");
  if (initialize != NULL) initialize(no_cleanup_at_exit, NULL);
}

static bool load(mistertop_curl *curl, const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return false;
#define FIND(name) \
  *(void **)&curl->name = dlsym(handle, #name); \
  if (curl->name == NULL) { \
    dlclose(handle); \
    return false; \
  }
  FUNCTIONS(FIND)
  keep_at_exit(handle);
  return curl->curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

mistertop_curl *mistertop_curl_open(const char *library) {
  mistertop_curl *curl = calloc(1, sizeof *curl);
  if (curl == NULL) return NULL;
  if (load(curl, library) && (curl->multi = curl->curl_multi_init()) != NULL) return curl;
  free(curl);
  return NULL;
}

const char *mistertop_curl_version(const char *library) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  __typeof__(curl_version) *version = NULL;
  if (handle != NULL) *(void **)&version = dlsym(handle, "curl_version");
  return version == NULL ? NULL : version();
}

void mistertop_curl_close(mistertop_curl *curl) {
  mistertop_curl_end(curl);
  curl->curl_multi_cleanup(curl->multi);
  free(curl);
}

bool mistertop_curl_prepare(mistertop_curl *curl) {
  mistertop_curl_end(curl);
  curl->error[0] = 0;
  curl->easy = curl->curl_easy_init();
  return curl->easy != NULL
      && curl->curl_easy_setopt(curl->easy, CURLOPT_ERRORBUFFER, curl->error) == CURLE_OK;
}

CURLcode mistertop_curl_set_number(mistertop_curl *curl, CURLoption option, long number) {
  return curl->curl_easy_setopt(curl->easy, option, number);
}

CURLcode mistertop_curl_set_text(mistertop_curl *curl, CURLoption option, const char *text) {
  return curl->curl_easy_setopt(curl->easy, option, text);
}

CURLcode mistertop_curl_set_body(mistertop_curl *curl, const void *bytes, size_t count) {
  CURLcode result = curl->curl_easy_setopt(curl->easy, CURLOPT_POST, 1L);
  if (result == CURLE_OK)
    result = curl->curl_easy_setopt(curl->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  // With NULL, libcurl would call its read callback.
  if (result == CURLE_OK)
    result = curl->curl_easy_setopt(curl->easy, CURLOPT_POSTFIELDS, bytes != NULL ? bytes : "");
  return result;
}

CURLcode mistertop_curl_add_header(mistertop_curl *curl, const char *line) {
  struct curl_slist *longer = curl->curl_slist_append(curl->headers, line);
  if (longer == NULL) return CURLE_OUT_OF_MEMORY;
  curl->headers = longer;
  return curl->curl_easy_setopt(curl->easy, CURLOPT_HTTPHEADER, longer);
}

static size_t take_head(char *bytes, size_t size, size_t count, void *context) {
  mistertop_curl *curl = context;
  return curl->head(curl->context, bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  mistertop_curl *curl = context;
  return curl->body(curl->context, bytes, size * count) ? size * count : 0;
}

CURLcode mistertop_curl_set_readers(
    mistertop_curl *curl, mistertop_curl_reader head, mistertop_curl_reader body, void *context) {
  curl->head = head;
  curl->body = body;
  curl->context = context;
  CURLcode result = curl->curl_easy_setopt(curl->easy, CURLOPT_HEADERFUNCTION, take_head);
  if (result == CURLE_OK) result = curl->curl_easy_setopt(curl->easy, CURLOPT_HEADERDATA, curl);
  if (result == CURLE_OK) result = curl->curl_easy_setopt(curl->easy, CURLOPT_WRITEFUNCTION, take_body);
  if (result == CURLE_OK) result = curl->curl_easy_setopt(curl->easy, CURLOPT_WRITEDATA, curl);
  return result;
}

CURLMcode mistertop_curl_begin(mistertop_curl *curl) {
  return curl->curl_multi_add_handle(curl->multi, curl->easy);
}

bool mistertop_curl_step(mistertop_curl *curl, int wake, int milliseconds, CURLcode *result) {
  int running = 0, left = 0;
  *result = CURLE_FAILED_INIT;
  if (curl->curl_multi_perform(curl->multi, &running) != CURLM_OK) return false;
  for (CURLMsg *message; (message = curl->curl_multi_info_read(curl->multi, &left)) != NULL;) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return false;
  }
  if (running == 0) return false;
  struct curl_waitfd extra = {.fd = wake, .events = CURL_WAIT_POLLIN};
  return curl->curl_multi_poll(curl->multi, &extra, wake >= 0, milliseconds, NULL) == CURLM_OK;
}

void mistertop_curl_end(mistertop_curl *curl) {
  if (curl->easy != NULL) {
    curl->curl_multi_remove_handle(curl->multi, curl->easy);
    curl->curl_easy_cleanup(curl->easy);
    curl->easy = NULL;
  }
  curl->curl_slist_free_all(curl->headers);
  curl->headers = NULL;
}

const char *mistertop_curl_explain(mistertop_curl *curl, CURLcode result) {
  return curl->error[0] != 0 ? curl->error : curl->curl_easy_strerror(result);
}
#endif
