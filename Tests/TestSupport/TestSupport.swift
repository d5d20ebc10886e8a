// Test tools shared by every test target.
